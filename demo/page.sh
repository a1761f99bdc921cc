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
# show WORDS - runs a command of Wale, shows it, what it prints and how long it took; ends as the command does.
show() {
    echo "\$ wale $*"
    begin=$(milliseconds)
    { "$wale" "$@" 2>&1 && echo 0 >"$work/status" || echo $? >"$work/status"; } | tee "$work/said"
    {
        echo "<pre><b>\$ wale $(printf '%s' "$*" | escape)</b> <i>$(awk -v ms=$(($(milliseconds) - begin)) \
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
        NR == 1 { name = $x; next }
        { px[++n] = $x; py[n] = $y; if (n == 1) { x0 = x1 = $x; y0 = y1 = $y }
          if ($x < x0) x0 = $x; if ($x > x1) x1 = $x; if ($y < y0) y0 = $y; if ($y > y1) y1 = $y }
        END {
            if (n < 2 || x1 == x0 || y1 == y0) exit
            printf "<figure><svg viewBox=\"0 0 720 240\" role=\"img\"><polyline points=\""
            step = n > 1500 ? n / 1500 : 1  # more points than pixels say nothing more
            for (k = 1; k <= n; k += step) {
                i = int(k)
                printf "%.1f,%.1f ", 60 + 640 * (px[i] - x0) / (x1 - x0), 205 - 190 * (py[i] - y0) / (y1 - y0)
            }
            printf "\"/><text x=\"54\" y=\"20\" text-anchor=\"end\">%.4g</text><text x=\"54\" y=\"208\" text-anchor=\"end\">%.4g</text>", y1, y0
            printf "<text x=\"60\" y=\"228\">%.4g</text><text x=\"700\" y=\"228\" text-anchor=\"end\">%.4g</text>", x0, x1
            printf "<text x=\"380\" y=\"228\" text-anchor=\"middle\">%s</text></svg><figcaption>%s</figcaption></figure>\n", name, words
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
pre i { color: #777; } figure { margin: 1rem 0; } img, svg { max-width: 100%; height: auto; }
img { width: 100%; image-rendering: auto; } polyline { fill: none; stroke: #06c; stroke-width: 1.5; } text { font-size: 12px; }
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
