# shellcheck shell=sh disable=SC2154  # the variables are those of demo.sh
# page.sh - what the demo says goes to the screen and into a page, demo.html, which needs no other file. Sourced by
# demo.sh, which sets: wale, the program; images, the folder of results; work, a temporary folder.
body=$work/body.html
: >"$body"

escape() { sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g'; }
milliseconds() { date +%s%3N; }

# say WORDS - begins a section.
say() {
    printf '\n%s%s%s\n' "$bold" "$*" "$plain"
    printf '<h2>%s</h2>\n' "$(printf '%s' "$*" | escape)" >>"$body"
}
# tell WORDS - a paragraph.
tell() {
    echo "$*"
    printf '<p>%s</p>\n' "$(printf '%s' "$*" | escape)" >>"$body"
}
# keep - shows what it reads, and keeps it as a table of plain text.
keep() {
    tee "$work/kept"
    { echo "<pre>" && escape <"$work/kept" && echo "</pre>"; } >>"$body"
}
# show WORDS - runs a command of Wale, shows it, what it prints and how long it took; ends as the command does. Long lines
# are broken in the page, but for those of tables.
show() {
    echo "\$ wale $*"
    begin=$(milliseconds)
    { "$wale" "$@" 2>&1 && echo 0 >"$work/status" || echo $? >"$work/status"; } | tee "$work/said"
    case $1 in study | list) class=table ;; *) class=lines ;; esac
    {
        echo "<pre class=\"$class\"><b>\$ wale $(printf '%s' "$*" | escape)</b> <i>$(awk -v ms=$(($(milliseconds) - begin)) \
            'BEGIN { printf "%.2f s", ms / 1000 }')</i>"
        escape <"$work/said"
        echo "</pre>"
    } >>"$body"
    return "$(cat "$work/status")"
}
# picture FILE.png WORDS - puts a picture into the page, with what it shows.
picture() {
    file=$1
    shift
    echo "$*: $file"
    printf '<figure><img alt="%s" src="data:image/png;base64,%s"><figcaption>%s</figcaption></figure>\n' \
        "$*" "$(base64 -w 0 "$file")" "$*" >>"$body"
}
# curve FILE.csv X Y WORDS - draws column Y over column X of a table with a line of names.
curve() {
    awk -F, -v x="$2" -v y="$3" -v words="$4" '
        # Of an axis: 1, 2 or 5 times a power of ten, four to ten of them in its length; and the first multiple from v on.
        function step_of(length_, s) { s = 10 ^ floor(log(length_ / 4) / log(10)); return length_ / s >= 20 ? 5 * s : length_ / s >= 8 ? 2 * s : s }
        function floor(v) { return v < int(v) ? int(v) - 1 : int(v) }
        function first_of(v, s) { return -floor(-v / s) * s }
        NR == 1 { name = $x; next }
        { px[++n] = $x; py[n] = $y; if (n == 1) { x0 = x1 = $x; y0 = y1 = $y }
          if ($x < x0) x0 = $x; if ($x > x1) x1 = $x; if ($y < y0) y0 = $y; if ($y > y1) y1 = $y }
        END {
            if (n < 2 || x1 == x0 || y1 == y0) exit
            printf "<figure><svg viewBox=\"0 0 720 240\" role=\"img\">"
            across = step_of(x1 - x0); up = step_of(y1 - y0)
            for (t = first_of(x0, across); t <= x1 + across / 1e6; t += across) {
                at = 60 + 640 * (t - x0) / (x1 - x0)
                printf "<path d=\"M%.1f 15V205\"/><text x=\"%.1f\" y=\"220\" text-anchor=\"middle\">%.4g</text>", at, at, t
            }
            for (t = first_of(y0, up); t <= y1 + up / 1e6; t += up) {
                at = 205 - 190 * (t - y0) / (y1 - y0)
                if (t < up / 1e6 && t > -up / 1e6) t = 0
                printf "<path d=\"M60 %.1fH700\"/><text x=\"54\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>", at, at + 4, t
            }
            printf "<polyline points=\""
            step = n > 1500 ? n / 1500 : 1  # more points than pixels say nothing more
            for (k = 1; k <= n; k += step) {
                i = int(k)
                printf "%.1f,%.1f ", 60 + 640 * (px[i] - x0) / (x1 - x0), 205 - 190 * (py[i] - y0) / (y1 - y0)
            }
            printf "\"/><text x=\"380\" y=\"236\" text-anchor=\"middle\">%s</text></svg><figcaption>%s</figcaption></figure>\n", name, words
        }' "$1" >>"$body"
}
# finish SECONDS - writes the page.
finish() {
    {
        cat <<'END'
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Wale: what the demo did</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
h2 { margin-top: 2.5rem; font-size: 1.2rem; } pre { background: #f4f4f4; padding: .7rem; overflow-x: auto; font-size: .8rem; }
pre.lines { white-space: pre-wrap; overflow-wrap: anywhere; }
pre i { color: #777; } figure { margin: 1rem 0; } img, svg { max-width: 100%; height: auto; }
img { width: 100%; image-rendering: auto; outline: 1px solid #ccc; } text { font-size: 11px; }
polyline { fill: none; stroke: #06c; stroke-width: 1.5; } path { stroke: #ddd; }
figcaption { color: #555; font-size: .9rem; }
</style></head><body><h1>Wale: what the demo did</h1>
END
        printf '<p>%s; %s s in all on this machine.</p><pre>' "$(date '+%F %H:%M')" "$1"
        "$wale" info | escape
        echo "</pre>"
        cat "$body"
        cat <<'END'
<h2>What to try next</h2>
<ul>
<li>Your own files: <code>wale align a.fa b.fa</code>, <code>wale reconstruct depressions terrain.tif -o filled.tif</code>,
<code>wale lu solve a.mtx</code>, <code>wale tree cable neuron.swc --membrane hh --clamp 5,50,1.5</code>,
<code>wale euler case.toml</code>; <code>wale VERB --help</code> has examples.</li>
<li>Python: <code>./run wheel</code>, then <code>pip install build/wheels/wale-*.whl</code>; ten-minute tutorials are in
<code>docs/tutorials</code>.</li>
<li>Which schedule is the fastest here: <code>wale study lu</code>.</li>
<li>All of the documentation: <code>./run docs</code>, then open <code>build/docs/html/index.html</code>.</li>
</ul></body></html>
END
    } >"$work/demo.html"
    mv "$work/demo.html" "$images/demo.html"
    echo "Pictures, numbers and times on one page: $images/demo.html"
}
