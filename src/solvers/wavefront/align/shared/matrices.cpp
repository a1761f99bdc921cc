// matrices - the substitution matrices that the library holds, and the checks of those that callers bring.
#include <wale/alignment.hpp>

#include <algorithm>
#include <array>
#include <wale/error.hpp>

namespace wale {
namespace {

constexpr std::int32_t most = 1'000'000;  // of a score

/// NCBI's tables (ftp.ncbi.nlm.nih.gov/blast/matrices; Henikoff & Henikoff 1992, Dayhoff et al. 1978) over
/// these letters: the lower triangles, row by row, a score a character: '0' is -17, '9' -8,
/// 'A' -7, 'Y' 17.
constexpr std::string_view letters_of_tables = "ARNDCQEGHILKMFPSTWYVBZX*";
std::int32_t score_of(char digit) {
    return digit <= '9' ? digit - '0' - 17 : digit - 'A' - 7;
}

struct named_table {
    std::string_view name, triangle, letters = letters_of_tables;
};

constexpr std::array<named_table, 9> tables{{
    // NUC.4.4: IUPAC's codes of nucleotides; U as T.
    {"nuc44",
     "MDMDDMDDDMDDIIGIIDDDGIDIDFFGDIDIFFDGDIIDFFFFGIDDIFFFFDGDGGGGEEGGEGGDGGGEGEEGFGGGDGEGEGEGFFGGGGDEGGEGEFF"
     "FG"
     "FFFFGGGGGGGGGGGDMDDDIDIIDGDGGFM",
     "ATGCSWRYKMBVHDNU"},
    {"blosum45",
     "MFOGHNFGJOGEFETGIHHENGHHJEJNHFHGEFFOFHIHEIHFRGEFDEFEDEMGFEEFFFEFJMGKHHEIIFGEEMGGFEFHFFHJJGNFFFDFDEEF"
     "HIEHPGFFGDGHFFFEGFEQIGIHGHHHGFEGFFGLHGHGGGGFFGGGGGGJMFFDDCFEFEFFFFIEDEWFGFFEGFEJHHGHKEFGKPHFEEGEEEEK"
     "IFIHEGHEGMGGLMFHIGHEEHFEFHHDFELGHHIELLFHEFIGEGHGFFEJLHGGGFGGGGGGGGGGHHFGGGGGCCCCCCCCCCCCCCCCCCCCCCCI"},
    {"blosum50",
     "MFOGGOFFJPGDFDUGIHHEOGHHJEJNHEHGEFEPFHIGEIHFRGDEDFEDDDMFEDDFFEDEJMGKHGEJIFHEENGFFDFHFEGJKFOEEDCFDEDG"
     "HIDHPGEFGDGGFFEDGEDRIGIHGHGHGEEHFEGMHGHGGGGFFGGGGFGJMEEDCCGEEEEFEGIDDEWFGFEEGFEJGGFHLEFFJPHEEDGEEDDL"
     "IEIGEFHEGMFGLMEHIGHDDHEDFHHCEDMGHHIELMFHEEIGDGHGFFEJMGGGGFGGFGGGGGFFGHEGGGGGCCCCCCCCCCCCCCCCCCCCCCCI"},
    {"blosum62",
     "LGMFHNFFINHEEEQGIHHEMGHHJDJMHFHGEFFNFHIGEHHFPGEEEGEEDELGFEDGFEDEJLGJHGEIIFGEFMGGFEGHFEFIJGMFEEEFEEEG"
     "HHEHNGFFGEGGFFEEGFDOIGIHGHHHGFFHGFGLHGHGGGGFFGGGGFGIMEEDDFFEFFEFEGIDEFSFFFEFGFEJGGFGKEFFJOHEEEGFFEEK"
     "IFIGFFHEGLFGKLEHIGHEDHEEFHGDEELGHHIEKLFHEEIGEGHGEFFILHGGGFGGGGGGGGGFHHFGGGGGDDDDDDDDDDDDDDDDDDDDDDDI"},
    {"blosum80",
     "OEQEGQEEJRGBCAUFIHGCQFGGJAKPHDGEBDDQEHIFAIHDTECBAFCBABOEDBAEDBACJNGKHFBJIEGCDPFEDBEGDCDJKEQDCBBDCBBF"
     "GHCHRGEDEBEFCDCCFDBTJFIGFGGGFDDGEDFOHFHFFGFEEFEGGDEJPCCA9CDBBDCDBEHABCXDDDBCECBKEFDELBEEKSGDCBFDDBCL"
     "IDIFDEHCEOEFMNBGIFGBAGCBDHG9CBNFHGIAMNDHBCIEBFGFCDDHNGFFEDFFEFFFFFEEGGCEFEGF99999999999999999999999I"},
    {"blosum90",
     "MFNFGOEEIOGCDCQGIHGDOGGGIBJNHEGFDEENFHHFCIGEPFDDCFDDCDMFEDCFEDCDIMGJHGDIHFGDENFFEDFHEDEIJFOEDDCEDCCF"
     "GHDGOGEEEDFFEEDDFEDPIGHGFGGGFEEGFEFMHFHFFGGEFGFGGEFINDDCBDECDEDECFHCDDSEEEDDEDCIFFEFKDEFJPGEDCFEECDK"
     "HEHFEFGEEMFFLLDGHFGCCGDDEHGBDDLGHGHCLLEHDDIFDFGGDEEHLGFFFEGFFFFFGGFFGGEFFFGFBBBBBBBBBBBBBBBBBBBBBBBI"},
    {"pam30",
     "NAPDBPE7JPB963RDFEF3PF8FJ3IPF8EE8ADNAFHDAIC8QCCCAB9C68PB9A52C87BGOAHGD3EDABB9OCD864DA97GIFS98824438B"
     "FE3DQFDB99ECBD9AB97PHEHDECDFBA9DCBFNGBFC9CBBAFAED8DHO4F922402A3B54D3C4U97D6D593EBA86J4ABCRF999BABCBJ"
     "F8G9BBE2AOEANN5EIEGB8F77AGE7B9NEDEI3NNCGBADC4DCB38BHNEBEC8CCCCCBCC9CED6ACCCC00000000000000000000000I"},
    {"pam70",
     "MDPFENGBKNDCA8QFHGH8OGCHK8JNHBGGBDFNDHIGCJFBPFEECDCDBBODBC97EBADINDJHF8GFCEDCNEFCA8FDBBIJHRBAB7988AD"
     "HG8FPHFEDCGEEFCCDCAOIGIGGEFHEDBFEDHMIDHFCEEEDGDGFBFJN8HB76967C8DA9F8E9UCAEAF9B8GDDAAL8CDEQGCCCDDDEDK"
     "HBHCEEG7CNGDMM9GJGHDBGBADHGADCMGFGJ8MMEIDDFE8FFE7ADIMFEFEBFEEEEDEECEGFACFFEE66666666666666666666666I"},
    {"pam250",
     "JFNHHJHGJLFDDCTHIIJCLHGIKCJLIEHIEGHMGJJIEKIFNGFFFFFFEFMFEEDBFEDFJNGKIHCIHFHFEMGHFECGFEFJLHNEDEBDCCCF"
     "IJCHQIHHGEHGHHFEGFCNIHIHHGHIGGEHFEIJIGHHFGHHGHFHGEHIKBJDA9CAAECFEDHBFCYEDFDHDDCHGGDFOCEEHRHFFFFFFGFL"
     "JFJGGGHBFLHGJKDIKHIFEIFDGHHCEFKHHIKCKKHJFEHFCHHGBDFJKHGHGEGGGGGGGGFGHHDFGGGG99999999999999999999999I"},
}};

void check_score(std::int64_t score) {
    if (score < -most || score > most)
        throw bad_argument("matrix: score " + std::to_string(score) + ", expected within +-" +
                           std::to_string(most));
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

}  // namespace

substitution_matrix::substitution_matrix(int match, int mismatch) : match_(match), mismatch_(mismatch) {
    check_score(match);
    check_score(mismatch);
}

substitution_matrix::substitution_matrix(std::string letters, std::vector<std::int32_t> scores)
    : letters_(std::move(letters)), scores_(std::move(scores)) {
    if (letters_.empty()) throw bad_argument("matrix: has no letters, expected one or more");
    if (scores_.size() != letters_.size() * letters_.size())
        throw bad_argument("matrix: " + std::to_string(scores_.size()) + " scores, expected " +
                           std::to_string(letters_.size() * letters_.size()));
    std::string sorted = letters_;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
        throw bad_argument("matrix: byte " + std::to_string(static_cast<unsigned char>(*twice)) +
                           " is a letter twice, expected once");
    for (const std::int32_t score : scores_) check_score(score);
}

std::vector<std::string> substitution_matrix::names() {
    std::vector<std::string> all;
    for (const named_table& t : tables) all.emplace_back(t.name);
    return all;
}

substitution_matrix substitution_matrix::named(std::string_view name) {
    const auto found = std::find_if(tables.begin(), tables.end(),
                                    [&](const named_table& t) { return t.name == lower(name); });
    if (found == tables.end()) {
        std::string list;
        for (const named_table& t : tables) list += (list.empty() ? "" : ", ") + std::string(t.name);
        throw bad_argument("matrix: is '" + std::string(name) + "', expected one of " + list);
    }
    const std::size_t n = found->letters.size();
    std::vector<std::int32_t> scores(n * n);
    const char* digit = found->triangle.data();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) scores[i * n + j] = scores[j * n + i] = score_of(*digit++);
    return {std::string(found->letters), std::move(scores)};
}

}  // namespace wale
