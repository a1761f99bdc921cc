// reconstruct - reads images, runs one operation, verifies if asked, writes the answer in the input's
// depth.
#include "reconstruct.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>
#include <wale/output_file.hpp>

#include "backend.hpp"
#include "failure.hpp"
#include "group.hpp"
#include "json.hpp"
#include "placement.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace wale::cli {
namespace {

constexpr index_t device_pays = index_t{1} << 28;  // pixels from which starting the device (0.3 s) pays

class reconstruct_run {
public:
    explicit reconstruct_run(const reconstruct_command& command)
        : command_(command), op_(find_operation(command.operation)) {
        check();
        if (!group().empty()) check_shared();
    }
    int run() {
        read_all();
        if (first_) open_outputs();
        line_.say("computing " + command_.operation + " of " + std::to_string(whole_.pixels()) + " pixels");
        if (group().empty())
            on_backend(chosen_, command_.threads, [&](const execution& where) { compute(where); });
        else
            compute_shared();
        const std::string flaw = first_ ? this->flaw() : "";
        const bool bad = group().any(!flaw.empty());
        if (!first_) return bad ? exit_verdict : exit_good;
        if (bad) throw verdict_error("verification: " + flaw);
        const owned_image changed = finished();
        const const_image_view answer = changed.pixels.data() != nullptr ? changed.view() : out_.view();
        describe(answer);
        write(answer);
        line_.stop();
        say();
        return exit_good;
    }

private:
    void check() const;
    void read_all();
    [[nodiscard]] image_file_data read(const std::string& file);
    void convert(std::size_t k);
    void take_no_data(const image_file_data& file);
    void open_outputs();
    void compute(const execution& where);
    [[noreturn]] void blame(const bad_argument& e) const;
    void check_shared() const;
    void compute_shared();
    void check_numbers(const on_cpu& where) const;
    [[nodiscard]] std::string flaw();
    [[nodiscard]] owned_image finished() const;
    void describe(const const_image_view& answer);
    void write(const const_image_view& answer);
    void say() const;
    [[nodiscard]] bool on_device() const { return backend_of(chosen_.where) == backend::cuda; }
    [[nodiscard]] pixel answer_type() const;
    [[nodiscard]] int answer_bits() const;
    /// The input whose depth the answer has.
    [[nodiscard]] const image_file_data& like() const {
        return files_[op_.answer == answer_kind::labels ? 1 : op_.image];
    }

    reconstruct_command command_;
    const operation& op_;
    chosen_backend chosen_;
    bool is_chosen_ = false;
    std::vector<std::string> names_;       // files, the mask of a watershed too
    std::vector<operation_input> inputs_;  // what each of them is
    std::vector<image_file_data> files_;
    std::vector<owned_image> converted_;   // instead of files_, where it has pixels
    std::vector<const_image_view> views_;  // host
    raster shape_;  // of what is read: of several ranks only the first has the whole image
    raster whole_;
    const bool first_ = group().rank() == 0;
    owned_image out_;  // of the library, host
    image_format format_ = image_format::by_name;
    std::optional<output_file> output_, compare_;
    reconstruct_report report_;
    progress line_;
};

void reconstruct_run::check() const {
    if (command_.output == "-" && command_.json)
        throw usage_error("--json: writes to standard output, where the image goes, expected -o FILE");
    if (command_.output == "-" && isatty(STDOUT_FILENO) == 1)
        throw usage_error("standard output is a terminal, expected -o FILE for the image");
    if (command_.grey && command_.channel >= 0)
        throw usage_error("--gray and --channel: expected one of them");
    if (op_.takes == takes_points && command_.points.empty()) throw usage_error("--point: is missing");
    int standard_inputs = command_.mask == "-" ? 1 : 0;
    for (const std::string& file : command_.files) standard_inputs += file == "-";
    if (standard_inputs > 1) throw usage_error("several files are standard input, expected one");
    expect_ending("--compare", command_.compare, ".png");
    expect_distinct(
        std::vector<named_output>{{"--output", command_.output}, {"--compare", command_.compare}});
    if (command_.output != "-" && format_of(command_.output) == image_format::by_name)
        throw usage_error("--output: is '" + printable(command_.output) +
                          "', expected .png, .tif, .tiff or .npy at its end");
}

image_file_data reconstruct_run::read(const std::string& file) {
    line_.say("reading " + printable(file));
    image_file_options o;
    if (command_.grey) o.colour = colour_rule::luminance;
    if (command_.channel >= 0) {
        o.colour = colour_rule::channel;
        o.channel = command_.channel;
    }
    if (command_.drop_alpha) o.alpha = alpha_rule::drop;
    if (command_.batch) o.stack = stack_rule::images;
    if (!first_)
        o.lines = [this](const raster& r) {
            whole_ = r;
            const row_range mine = lines_of_rank(r, group().rank());
            return std::pair(mine.first, mine.last);
        };
    o.space = [this](const raster& r) {
        // The first image's size chooses the backend; what goes to a device is read into page-locked
        // memory.
        if (!is_chosen_)
            chosen_ =
                choose_backend(command_, threads_of_rank(command_.threads),
                               group().empty() && r.pixels() >= device_pays && op_.takes != takes_flood);
        is_chosen_ = true;
        return on_device() ? memory_space::pinned : memory_space::host;
    };
    return read_image(file, o);
}

/// Flags and labels as the library takes them.
void reconstruct_run::convert(std::size_t k) {
    const const_image_view p = files_[k].view();
    converted_.emplace_back();
    if (inputs_[k].kind == input_kind::flags && p.type != pixel::boolean) converted_[k] = flags_of(p);
    if (inputs_[k].kind == input_kind::labels && p.type != pixel::i32)
        converted_[k] = labels_of(p, printable(names_[k]));
    views_.push_back(converted_[k].pixels.data() != nullptr ? converted_[k].view() : p);
}

/// What GDAL wrote into the file counts where --no-data says nothing. NaN holds no data anyway.
void reconstruct_run::take_no_data(const image_file_data& file) {
    const std::string& text = file.earth.no_data;
    if ((op_.takes & takes_no_data) == 0 || command_.has_no_data || text.empty()) return;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *(end + std::strspn(end, " ")) != '\0')
        throw input_error(printable(names_[op_.image]) + ": its value of no data is '" + printable(text) +
                              "', expected a number",
                          "--no-data names another");
    command_.has_no_data = !std::isnan(value);
    if (command_.has_no_data) command_.no_data = value;
}

void reconstruct_run::read_all() {
    names_ = command_.files;
    inputs_ = op_.inputs;
    if (!command_.mask.empty()) {
        names_.push_back(command_.mask);
        inputs_.push_back({"mask", input_kind::flags});
    }
    const stopwatch watch;
    for (std::size_t k = 0; k < names_.size(); ++k) {
        files_.push_back(read(names_[k]));
        convert(k);
    }
    report_.read_seconds = watch.seconds();
    shape_ = views_[op_.image];
    if (first_) whole_ = shape_;
    take_no_data(files_[op_.image]);
    if (command_.verify) check_certificate(op_, shape_.type);
}

pixel reconstruct_run::answer_type() const {
    switch (op_.answer) {
        case answer_kind::flags:
        case answer_kind::selection:
            return pixel::boolean;
        case answer_kind::labels:
            return pixel::i32;
        default:
            return shape_.type;
    }
}

int reconstruct_run::answer_bits() const {
    return op_.answer == answer_kind::flags ? 1 : like().bits;
}

/// Before the work, so that a place that cannot be written costs none.
void reconstruct_run::open_outputs() {
    format_ = command_.output == "-" ? files_[op_.image].format : format_of(command_.output);
    if (format_ == image_format::jpeg && command_.output == "-") format_ = image_format::png;
    raster shape = shape_;
    shape.type = op_.answer == answer_kind::flags ? pixel::boolean : like().shape.type;
    if (const std::string why = why_unwritable(command_.output, shape, {.format = format_}); !why.empty())
        throw usage_error(why);
    std::vector<std::string> inputs;
    for (const std::string& name : names_) {  // an archive's member is in the archive
        const std::size_t colon = name.rfind(".npz:");
        inputs.push_back(colon == std::string::npos ? name : name.substr(0, colon + 4));
    }
    output_.emplace(command_.output, inputs);
    if (command_.compare.empty()) return;
    if (shape_.pixels() == 0) throw usage_error("--compare: the image has no pixels");
    compare_.emplace(command_.compare, inputs);
}

void reconstruct_run::compute(const execution& where) {
    const execution home = home_of(where);
    const bool device = backend_of(home) == backend::cuda;
    raster shape = shape_;
    shape.type = answer_type();
    out_ = owned_image(shape, shape.type, on_device() ? memory_space::pinned : memory_space::host);
    report_.to_device_seconds = 0;  // a device may have been tried before
    std::vector<placed_image> placed;
    for (const const_image_view& p : views_) placed.emplace_back(home, p, report_.to_device_seconds);
    memory on_device;
    if (device && out_.bytes() > 0)
        on_device = memory(out_.bytes(), memory_space::device, std::get<on_cuda>(where).device);
    image_call call{.where = where,
                    .in = {},
                    .out = {device ? on_device.data() : out_.pixels.data(), out_.shape},
                    .command = command_,
                    .options = options_of(command_)};
    for (std::size_t k = 0; k < placed.size(); ++k) call.in[k] = placed[k].view();
    try {
        report_.outcome = op_.run(call);
    } catch (const bad_argument& e) {
        blame(e);
    }
    if (device && out_.bytes() > 0) {
        const stopwatch watch;
        copy_bytes(where, out_.pixels.data(), on_device.data(), out_.bytes());
        report_.from_device_seconds = watch.seconds();
    }
    // int8 and int16 are int32 in memory; minima that are imposed lie at the least value of the file's type.
    if (op_.answer == answer_kind::values && shape.type == pixel::i32 && like().bits < 32)
        narrow_ends(out_, like().bits);
}

/// The library names the argument: what a file is to blame for is bad input.
void reconstruct_run::blame(const bad_argument& e) const {
    const std::string what = e.what();
    for (std::size_t k = 0; k < inputs_.size(); ++k)
        if (what.starts_with(std::string(inputs_[k].name) + ": "))
            throw input_error(printable(names_[k]) + what.substr(what.find(": ")),
                              op_.takes & takes_clamp && what.find(" the mask in ") != std::string::npos
                                  ? "--clamp takes the mask's value there"
                                  : "");
    throw bad_argument(e);
}

// Several ranks: the first one reads the whole image and writes, the others read their lines.

void reconstruct_run::check_shared() const {
    if (op_.proof == operation::certificate::none)
        throw usage_error(
            "reconstruct " + command_.operation + ": is computed by one process, and mpirun started " +
                std::to_string(group().size()),
            "reconstruct, fill-holes, depressions, clear-border and the h-transforms are shared");
    for (const std::string& file : command_.files)
        if (file == "-") throw usage_error("standard input: reaches one rank only, expected files");
}

void reconstruct_run::compute_shared() {
    const auto* cpu = std::get_if<on_cpu>(&chosen_.where);
    if (cpu == nullptr)
        throw usage_error("--backend: is " + command_.backend + ", expected cpu for several ranks", "-np 1");
    for (std::size_t k = 0; k < views_.size(); ++k)
        if (!views_[k].same_shape(shape_) || views_[k].type != shape_.type)
            throw input_error(printable(names_[k]) + ": has another shape or type than " +
                              printable(names_[op_.image]) + ", expected the same");
    expect_same_lines(whole_, views_);
    try {
        if (op_.proof != operation::certificate::given) check_numbers(*cpu);
        const raster part = image_part(whole_, lines_of_rank(whole_, group().rank()));
        out_ = owned_image(first_ ? whole_ : part, shape_.type, memory_space::host);
        shared_image own{.where = *cpu,
                         .whole = whole_,
                         .first = whole_.images == 1 ? lines_of_rank(whole_, group().rank()).first : 0,
                         .in = {},
                         .out = {out_.pixels.data(), part}};
        for (std::size_t k = 0; k < views_.size(); ++k)
            own.in[k] = first_ ? lines_of_rank(views_[k], whole_, 0) : views_[k];
        report_.outcome = image_outcome{shared_answer(own, op_, command_)};
        report_.outcome.run = merged(report_.outcome.run);
        gather_lines(whole_, own.out, out_.pixels.data());
    } catch (const bad_argument& e) {
        blame(e);
    }
}

/// The operation of one pixel refuses what its numbers may not be.
void reconstruct_run::check_numbers(const on_cpu& where) const {
    raster one = shape_;
    one.images = one.planes = one.rows = one.columns = 1;
    const owned_image in(one, one.type), out(one, one.type);
    std::memset(in.pixels.data(), 0, static_cast<std::size_t>(in.bytes()));
    reconstruction_options options = options_of(command_);
    options.variant = "automatic";
    const execution cpu = where;
    (void)op_.run({.where = cpu,
                   .in = {in.view()},
                   .out = {out.pixels.data(), out.shape},
                   .command = command_,
                   .options = options});
}

std::string reconstruct_run::flaw() {
    if (!command_.verify) return {};
    line_.say("verifying");
    report_.verified = true;
    return answer_flaw(op_, views_, out_.view(), command_);
}

/// The answer as it is written, where that is not what the library gave.
owned_image reconstruct_run::finished() const {
    const const_image_view source = like().view();
    if (op_.answer == answer_kind::selection) return selected_of(source, out_.view());
    if (op_.answer == answer_kind::labels && source.type != pixel::i32)
        return labels_as(out_.view(), source.type);
    return {};
}

void reconstruct_run::describe(const const_image_view& answer) {
    report_.operation = command_.operation;
    report_.files = names_;
    report_.shape = files_[op_.image].shape;
    report_.bits = files_[op_.image].bits;
    report_.answer = op_.answer;
    report_.summary = summary_of(op_.answer, files_[op_.image].view(), answer);
    report_.output = command_.output;
    report_.compare = command_.compare;
}

void reconstruct_run::write(const const_image_view& answer) {
    line_.say("writing " + (command_.output == "-" ? "standard output" : printable(command_.output)));
    georeference earth = files_[op_.image].earth;
    if (answer.type != files_[op_.image].shape.type) earth.no_data.clear();  // a value of another type
    write_image(*output_, answer,
                {.format = format_, .bits = answer_bits(), .earth = earth, .batch = files_[op_.image].batch});
    if (compare_) {
        const owned_image panels = compare_images(op_.answer, files_[op_.image].view(), answer, command_);
        write_image(*compare_, panels.view(), {.format = image_format::png});
        compare_->commit();
    }
    output_->commit();
}

void reconstruct_run::say() const {
    std::cerr << line_of(report_);
    if (!command_.json) return;
    write_standard_output(to_json(report_) + "\n");
}

}  // namespace

int reconstruct(const reconstruct_command& command) {
    return reconstruct_run(command).run();
}

}  // namespace wale::cli
