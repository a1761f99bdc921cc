// ncbi_tables - NCBI's substitution matrices (ftp.ncbi.nlm.nih.gov/blast/matrices; Henikoff & Henikoff 1992,
// Dayhoff et al. 1978). A table is its lower triangle without the row of '*', row by row, then the score of
// '*' with any other letter; '*' with itself is 1. A character is a score: '0' is 0, 'A' to 'Z' 1 to 26, '1'
// to '9' 27 to 35, 'a' to 'z' -1 to -26. nuc44 (NUC.4.4, IUPAC's codes of nucleotides; U as T) has no '*'.
#pragma once

#include <array>
#include <string_view>

namespace wale::wavefront {

struct ncbi_table {
    std::string_view name, scores, letters = "ARNDCQEGHILKMFPSTWYVBZX*";
};

// clang-format off
inline constexpr std::array<ncbi_table, 66> ncbi_tables{{
    {"nuc44", "EdEddEdddEddAAaAAdddaAdAdbbadAdAbbdadAAdbbbbaAddAbbbbdadaaaaccaacaadaaacaccabaaadacacacabbaaaad"
     "caacacbbbabbbbaaaaaaaaaaadEdddAdAAdadaabE",
     "ATGCSWRYKMBVHDNU"},
    {"blosum30", "DaH0bH0aAIcbacQACaabH0aaAABF0b0adbbHbaabe00cN0c0dbbcabFabba0babaBD0A00c0BabbbDA00cbaabBABB"
     "Fbaaeccdcc0BabJaacac0AaAccAddKAa00ba00aab0baaDAcAab0bbb00a0b0BEe0gdbaaAecbbcAcceTd0dafabc0aCaaCbbaEIAa"
     "bbbccccDAb0AdaAcAE0bDEba00bba0bcb00ecbE00a00DEb0caAad0aaabc0D0a0ab0aaa0000aa00ba0a0ag"},
    {"blosum35", "EaHaaGaaAHbcacO0BAacGaaaBaBF0bAbcbbGbaA0daabLacacdbcccEbbbbbbacbBE0B0ab0AabbbE00acdabaAAC0"
     "FbaacddcccABa0Hbbbad00baac0cdJAa0ac00Aabb0aabD0b0aa0abba000a0BEb0bceaaada00AAdbbPa0bbe0ab000a0CcabCH0a"
     "bbbcbcdDBbAAcaAb0EaaDEb0000bb0bba0acbbEa00AbDEbacbAbc00aaab0D0a0abaaaa0000aa00aa0a0ae"},
    {"blosum40", "EbIa0HaaBIbcbbP0BAadHaaaBbBGAc0bcbcHb0A0d00bMacbddcddcFbbccbbbdbBFaC00cAAbacbFaabccabbAACa"
     "GcbcdbdccbABc0Ibcbbeb0abbdabdKAaA0aA00abc0bbaE0b0aaaabbaa0aa0BFcbdefabbecabbAdedSbabcdabcB00aADcbaCI0b"
     "ccbccddDBbA0caAcaEaaDFb0Aa0cc0ccb00dccEa00AcDEb0dbAbda0abbcBE0aaabaaaaaaa0ab00baaaaaf"},
    {"blosum45", "EbGa0FbaBGacbcLaA00cFa00BcBF0b0acbbGb0A0cA0bJacbdcbcdcEabccbbbcbBEaC00cAAbaccEaabcb0bb0BBa"
     "Fbbbdbdccb0Ac0Habbada0bbbcabcIAaA0a000abcabbaD0a0aaaabbaaaaaaBEbbddebcbcbbbbAcdcObabbcabcB00a0CcbaCH0b"
     "ccaccccCAbA0ca0caEaaDEb0Aa0cc0bcb00dbcDa00AcDDb0cbAaca0abbcBD0aaabaaaaaaaaaa00baaaaae"},
    {"blosum50", "EbGaaGbbBHadbdMaA00cGa00BcBF0c0acbcHb0AacA0bJadcdbcdddEbcddbbcdcBEaC0acBAb0ccFabbdb0bcaBCb"
     "Gccdebdcda0Ad0HacbadaabbcdacdJAaA0a0a0acc0bcaE0a0aaaabbaaaabaBEccdeeaccccbcaAddcObabccabcBaab0DcbbBH0c"
     "cdaccddDAcAacb0caEbaDEc0Aa0dd0cdb00ecdEa00AcDEb0ccAada0abbcBEaaaabaabaaaaabba0caaaaae"},
    {"blosum55", "EbHbaHbbBH0dcdMaA00dGa00BdBG0c0bcbcHb0AadAabKbdddbddedFbcdebcdecBFaC0adBAb0dcFabcdb0ccbBCb"
     "Hccdecddda0Ad0IacbbcaacccdaceJBaA0a000acc0bcaE0a0aaaabbabaacaBFdceedbcccccdbBedcObbbccabdBaabaDdbbCI0c"
     "ddaccddDAcAacb0dbEbaDEd0Aa0dd0ceb0aecdEa00AdDEc0dcAbda0acbcBEaaabbaabaaaaabbaacaaaaae"},
    {"blosum60", "DaEa0FbaAF0cbcIaA00cEa00BcBE0b0abbbFb0AacA0bGacccaccccDabccabcdcBDaB0acAAaacbDaabca0bbaABa"
     "Ebcccbccca00c0FabbacaabbccabdGAaA0a000abb0abaD0a0aaaabbaaaabaADccddbbcbbbbcaAdcbJbbbcbabcBaabaCcbbBF0b"
     "ccabbccCAbAabb0caDbaCDc0Aa0cc0ccb00dbcDa00AcCDb0cbAaca0abbbAC0aaabaaaaaaaaab00baaaaad"},
    {"blosum62", "DaEb0FbbAF0cccIaA00cEa00BdBE0b0acbbFb0Aac00bHacccaccdcDabcdabcdcBDaB0acAAbacbEaabca0bcbABa"
     "Ebcccbccca00c0FabbacaabbccabdGAaA0a000abb0abaD0a0aaaabbaaaabaAEccddbbcbbcbcaAdcbKbbbcbabcBaabaCcbbBG0c"
     "ccabbccCAbAabb0caDbaCDc0Aa0cd0ccb0adccDa00AcCDb0ccAaca0acbbAD0aaabaaaaaaaaab00baaaaad"},
    {"blosum65", "DaFb0FbbAF0dcdIaA00cFa00BdBE0baacbbFb0AacA0bHacccaccdcDbbddabcdcBDaB0acAAbaccEabbcb0bcbABb"
     "Fbccdbccca00c0FabbbcaabbccacdHAaA0a000abc0bbaD0a0aaaabbaaaabaAEccdebbccbbbcbAdccJbbbcbbbcBaabaCcbbBG0c"
     "ccabcccCAbAabb0caDbaCDc0Aa0cd0ccb0adccDa00AdCDb0ccAbca0acbbADaaaabaabaaaaabbaabaaaaae"},
    {"blosum70", "DbFbaFbbAFadcdIaA0acFa00AdBE0cabcbbFb00adA0bHbcddacdddDbcddbbcdcBDaB0adAAbaccEabbcb0bcbABb"
     "Fbccdbcdda00c0FabbbcbacbccacdHAa00a00aacc0bcaD0a0aaaabbabaabaAEccdecbdcbcbcbAdccKbbbdcbcdBaabaCcbbBG0c"
     "cdabcdcCAcAacb0cbDbaCDd0Aaaddacdb0adccDa00AdCDb0ccAbda0acbc0Daaabbaabaaaaabbaacbaaaae"},
    {"blosum75", "DbFbaFbbAFadcdIaA0acFa0aAeBE0cabcbcFb00adA0bHbcddacdedDbcddbcddcADaB0adAAbaccEabcdb0bcbABb"
     "Fccddbdddb00d0FabcbdbacbccacdHAa0aa00aacc0bcaE0a0aaaabbabaabaAEccdecbdcbcbdbAeccKbbcdcbcdBbabbCdbbBG0c"
     "cdabcddCAcAacb0cbDbaCDd0Aaaddacdb0aecdDa00AdCDb0dcAbdb0accc0Daaabbaababaaabbaacbabaae"},
    {"blosum80", "GcIcaIccBJafegMbA0aeIbaaBgCH0dacfddIc0AbgA0dLcefgbefgfGcdfgcdfgeBFaC0bfBAcaedHbcdfcadedBCc"
     "Ideffdeffba0e0JacdcfcbedeebdfLBbAabaaabddacdbG0b0bbabccbcaadcBHeeghedffdedfc0gfePdddfecefCcbdcDfccCKad"
     "efbddfeDAdAbdc0ecGcbEFfaAbafgaefd0ahefFb0aAgEFd0feAcfbabedd0Fabbcdbbcbbbbbccaaecbcabh"},
    {"blosum85", "EbFbaGbbAGaddeIaA0adFaaaAeBF0cabdccFb00beAacHbddebddedEbcdebcdecADaB0adA0baccFbbcdb0cdcABb"
     "Gcdddcdddba0daGabcbdbbccddbcdHAa0abaaaaccabcaE0b0bbaabbabaacbAEcdefdcddccceb0eddKcccdcbdeBbbcbCdbbBGac"
     "ddaccddC0c0acb0cbEbbDDda0aaeeaddc0aeddDa0aAeDDc0ddAbdbaadcc0Dabbbcaabbbbaabbaacbababf"},
    {"blosum90", "EbFbaGccAGaedeIaA0adGaaaAfBF0cabdccFb00beAacHbddebddedEbcdebcdedAEaB0adA0badcFbbcdb0cdcABb"
     "Gcddecdeeba0daGacccdbbccddbcdHAa0abaaabccabcbE0b0bbaacbabaacbAFddefdcedcdceb0eddKcccddcdeAbbcbCdcbBHac"
     "debccedC0c0bcbaccEbbDDda0baeeaddc0afddDa0a0eDDc0ddAbdbaadcc0Dabbbcabbbbbaabbaacbbbabf"},
    {"blosum100", "HcJdbKeeAJbhehNb0abgKcbbBiBJafbdgefIda0chAbfMdgghcfgigHdfgheeghfBHbCachB0ecffJcdehdbegeAC"
     "dLefghdfhhdb0faKbeeehddfeggcegLAc0bcbbbcefbdecIacadcccedcdcbedBIfghjgehgefehd0hggQeeegfdghAddeeDgeeBLb"
     "fghceehgD0e0cfdaeeHddEFgb0cbhhbggeabifgFbab0hEGeagf0dgdbcgfe0Fbccdebcddccccddbbfdcdbcj"},
    {"pam10", "GjIgiIfqaHjkquJgdgftIeoe0taHdmffmjgGkdbgjbimJhhhkikhqmIiljsuhmnidGjbdhtfgjjikGhgoqtgjlqcbdLll"
     "lusstlieetgIdgilkfijgljjkmHcfbgfhgdijlghidGcjehkiijkejfglgbHtekuvswujtirsgthsMkngqgrktfijlqatjihJeklki"
     "jjiiaemdlijfvjHfkGGrfafdilepnjdfmikGfgfatGGhdijfhtghiumjcGfifimhhhhhihilhfgpkhhhhw"},
    {"pam20", "FhIegHdlAHhimpJebedpIckcBp0HckddkheGhcaeh0fjIfffigifmkIgjhoqfjlgbGhabfpdehhgiGfekmpehjmb0cKij"
     "jqoopjgcdpeIbegiidggejhhikHadaedfecghiefgcGahcfiggghchdeje0GpciqrosqhpgnofpfoMikemenipdghjmAphgfJciiig"
     "hhggAcjbighdrhGeiFFnd0dbgjcllhbdkgiFded0pGFfbghefpefgqkhaFdgdgkfffffgffifdemiffffs"},
    {"pam30", "FgHdfHcjBHfhknJdbcbnHbibBnAHbiccigdFgb0dgAeiIeeegfhekiHfhgloeijfaGg0adncdgffhGedikmdghjaAbKhi"
     "iommnifbcndIbdfhhcefdhgfhjH0c0dcedbfghdefbFafbeheffgbgcdid0GmbhoomqognflmdnemMhjdkdlhncfgikBmgfeJbhhhf"
     "gfefBbiahffcogGcgFFlcAcafibjjgacjfhFcdcAnFFeafgdemdefnif0Fcfceieeeeefeehecdkgeeeeq"},
    {"pam40", "FfHceGciBGfgilIcacblHbhaClBGahbchfcFfaAcgAdhIdedfegeihHehfkmdhieaGfA0dlbdfeegFdcgilcfgi0AaKgh"
     "hmkklhebblcIaceggbeecgffgiH0b0cbddaefgcefaF0eadgeeefbfbchcAGlagmnkomflejkdldkMgidjcjhlcefhjBlffdJbggge"
     "ffefBbhageebnfGcfFFkbBbaehbhifabifgFbcbBlFFd0efcdlcdemhfAFcecehdddddeddgdbcigddddo"},
    {"pam50", "EeHbdGbgBGefhkIc0bakHagaCkBGagbbgecFe0AbfBcgIcddfefdhgHegfjldgie0FeA0ckbcfdefFdcfhkcegh0BaJgh"
     "gljjkheaakcI0cdffbddcgfefhH0bAbbdcadegcdeaF0eacfdddeaebcgcAFkaglmjmlfkeijckdjMfhcicigkbeehhCkeedIafffe"
     "eedeCag0fddblfGbeEFibBb0egagieabhefEbbaBkFFd0eebdkccdkheAFbdbdgccddceddfdbbifcccdm"},
    {"pam60", "EeHbcFbfBGefgjIc0bajGaf0CjBG0gabgebFe0AbfBcfHcddededgfGdfeikcghd0FeB0bjaceddfFcbfgjbefgAB0Jfg"
     "fkiijgdaajbH0bdefacdbfedfgGAbAbacb0ddfbde0EAdaceddceaebbfbAFj0fklilkejdhicjdiMfhchbhgjbdeggCjeecIaeefd"
     "eddeCaf0eddakeFbeEEiaBb0dgafhd0bheeEbbaBjFEc0debdjbcdkgeAEbdbcfcccccdccecbbheccccl"},
    {"pam70", "EdHbcFafCFdegiIb0a0iGae0CiBF0faafdbFd0AaeBbfHbccededffGdfehjcfgdAFdB0biabecdeFcbegibdffAB0Jfg"
     "fjhiigd0aibH0bcdeaccbeedegGAaAaacb0cdfbcd0EAd0becccdadabfbBFi0fjkhkjeidghbichMegcgbhfiaddggDiedcIaeeed"
     "ddcdC0f0eccajeFadEEhaBa0dfafgd0agdeEabaBiEEcAddbcibbcjgdAEbcbcfbccccdccecabgebbcck"},
    {"pam80", "DdGabEaeCFdefiIb0a0iGad0DiBF0faafdbFd0BaeBbeHbccdddcfeGdeegicfgdAFdB0biabdcdeFcbdfhbdeeAB0Ief"
     "eihhifc00ibH0bcdeaccbeddegGAaAaacb0cdebcd0DAc0bdccbdadabebBEh0ejjhkjdhcggbichMegcgbgfhacdffDhddbI0edec"
     "ddcdC0eAdccajeFacDEg0Ba0dfaegc0agddEaa0BiEEbAddachbbcifdBEacacebbcbbccbebaagdbbbck"},
    {"pam90", "DdGabEaeCFcefhIb0a0hF0d0DhBF0eaaecaEdABaeBaeHbccdcdceeFcedgicefcAFcBAbhabdbceEbbdehbdeeAB0Ief"
     "ehgghfc00haH0abdeabcbddcdfGAaAaabb0cceacd0DAc0bdcbbc0cabeaBEh0eijgjidhcfgbhcgMefbfaffhaccffDhddbI0dddc"
     "dccdC0eAdccaidFacDEg0BaAce0efc0agddDaa0ChEEbAcdachbbbhfcBEababebbbbbcbbdbaafdbbbbj"},
    {"pam100", "DcGabEadCEceegIbAa0hF0cADhBEAeaaecaEcABadCadGbccdcdcedFcedfhbefcAFcBAah0acbcdEbadegbdddAC0Ie"
     "fehgghfc00gaHAabcdabbaddcdfGAaAaaba0bcdacd0DAc0bdbbbc0caaeaBEgAeiigiidgcffagcgLdfbfafegaccfeDgddbI0dcd"
     "cccccC0dAccb0idEacDDf0CaAce0dfc0afddDaa0ChEDbAcdabgabbhfcBEababebbbbbcbbdbaafdbbbbi"},
    {"pam110", "CcGaaDadBEcdegIaA0AgF0cADgBEAd00ecaEcAB0dCadGacbccccddFcddfhbefcAFcBAag0acbcdEbacegacddAC0Hd"
     "edgffgec00gaHAabcd0bbaddcdfFAaAaaba0bcdabd0CAb0acbbbc0caadaBEgAehifihdgcefagcfLdebeafegabceeDgccbH0dcd"
     "cccbcCAdAcbb0hdEabCDf0C0Ace0dfb0afccDaa0CgDDbAccabgaabgecBDababdabbbbbbbdbaaecbabbi"},
    {"pam120", "CcFaaD0cBEcdegIaA0AgF0cACgBEAd00dcaEcAB0dCadGabbccccddFcddegbdecAEbBAag0acbcdEbacdfacddAC0Hd"
     "edgffgec00gaHAabcd0bbaccbceFAaA00baAbbdabcACAb0acbbac0caadaBDgAdhhfhhcfcefagbfLdebeaeefabbedDfccbH0ccc"
     "cccbcCAdAcbb0hcE0bCDf0C0Acd0deb00fccDaa0CgDDbAccabfaabgecBDababdaabbabbbcbaaecaaabh"},
    {"pam130", "CcF0aD0cBEcddfIaA0AfE0cACfBEAd00dbaEbAB0dC0cGabbcccbdcEcdcegbdecAEbBAaf0acabdEbacdfacdcBC0Hd"
     "edgeffeb0AfaGAaabc0bbaccbceFAaA00aaAbbdabcACAb0acbaab0b0adaBDfAdghfhgcfbeeafbfLdebeaeef0bbedDfccaH0ccc"
     "bccbcCAdAbbb0gcE0bCDe0B0Acd0ceb00eccC0a0CfDDaAcc0bfaabgecBDabaadaabaabaacaaaecaaaah"},
    {"pam140", "CbF0aC0cBDbddfIaA0AfE0bACfBDAd00dbaEbAB0dC0cFabbcccbdcEbdcegbdebAEbCAaf0acabcEbabdfacccBC0Gd"
     "edfeefeb0AfaGAaabc0aaaccbceFAaA00aaAabcabcACAb0acbaab0b0ad0BDfAdghehgcfbdeafbeLdebeaedf0bbedDfccaH0cbc"
     "bbbbcCAcAbbb0gcE0bCDeAB0Abd0ceb00eccC0aACfDDaAbc0bfaaafdbBDaaaadaaaaabaaca0aecaaaah"},
    {"pam150", "CbF0aC0bBDbddfIaA0AfE0bACfBDAc00dbaDbAB0cC0cFabbcbcbccEbccefbddbAEbCAaf0ababcDaabceabccBC0Gd"
     "ddfeefeb0AfaGAaabc0aaaccbceFAaA00aaAabcabcABAb0acaaab0b0ac0ADfAdggeggcebdeafbeLcdbd0dde0bbdcEeccaH0cbc"
     "bbbbcCAcAbba0fcD0bCCeAB0Abd0ceb00ecbC00ABfDDaAbc0beaaafdbBDaaaacaaaaabaaca0adcaaaag"},
    {"pam160", "BbF0aC0bBDbcdeIaA0AeE0bACeBDAc00cb0DbAB0cB0cFabbcbbbccEbccdfbcdbBEbCA0e0ababcDaabceabccBC0Gc"
     "dcfeeedb0Ae0GAaabc0aaabcbbdEAaA00a0AabcabcABAa0abaaab0b0ac0ACeAdfgeggcebddaebeLcdbd0dde0bbdcEeccaH0cbc"
     "bbbbbCAcAbba0fcD0aBCdAB0Abd0cda00ecbC00ABeCCaAbc0beaaafdbBC0a0acaaaaabaaca00dcaaaag"},
    {"pam170", "CcH0aD0cCFceegMaA0BhF0bBEhCFAd00eb0FcBB0eD0dIaccdcccddGcddfibefcBGbDAah0acacdFbacdgacddBDAJe"
     "fehfghfcAAh0JAaabd0abacdbcfHBaA00aaAbbdabdACBb0acbaab0c0ae0BEhBeijgjidgcefahcgRefcf0ffg0bbfdGgddaL0dcd"
     "cccbcEBdBbbb0idF0bCEfAC0Ace0dfbA0gdcD00ADhEEaBcd0bgaaahfcCEabaadaabaabbada0afdaaabj"},
    {"pam180", "CcH0aD0cCEceegMaA0BgF0bBDgCEAd00eb0FbBB0dD0cHaccccccddFcddfhbefcBGbDA0g0acacdFbacdgacdcBDAIe"
     "fehffgfcAAg0JAaabd0aaacdbcfHAaA00aaAbbdabdACBb0acbaab0c0ad0BDhBeijfiidgcef0gcgRefbf0ffg0bbfdGgddaK0dcc"
     "cccbcEBdBbbb0hdF0bCDfAC0Ace0cfbA0gdcD00ACgEEaBcc0bgaaahfcCEabaadaabaabaaca0afcaaaaj"},
    {"pam190", "CbH0aC0bCEceegMaAABgF0bBDgCEAd00db0FbBB0dC0cHacbccccdcFcddehbdecBGbDA0gAacacdFbacdgacdcBDAIe"
     "fdgffgfbABg0JA0abd0aaaccbcfGAaA00a0Aabd0bdACBb0acaaab0b0ad0BDgBehifiicgcef0gcfRdebe0eeg0bbfdGfdcaK0ccc"
     "cccbcDBcBbbb0hcF0aCDfAC0Ace0cfaA0fdcD00ACgDDaBcc0bgaaagecBD0aaadaaaaabaaca00ecaaaai"},
    {"pam200", "CbG00C0bCEcdefLaAABgE0bBDgCEAd00db0FbBB0dC0cHabbccccccFbddegbdecBGbDA0gA0babdFbabdfacdcBDAHd"
     "edgffgfbABg0JA0abd0aaaccbcfGAaA00a0Aabd0bdABAa00caa0b0b0ad0BDgBehifihcfbde0gcfRdebe0eef0bbecGfccaK0cbc"
     "bcbbcDBcBbba0hcE0aCDeAC0Acd0cfaA0fdcC00ACgDDaBcc0bfaaagebBD0a0adaaaaabaaca00ecaaaai"},
    {"pam210", "BbG00C0bBEbddfLaAABfE0bBDfCEAc00db0EbBBAdC0cHabbcccbccEbdcegbdebBGbDA0fA0b0bcEaabcfacccBDAHd"
     "edgeffebABf0JA0aac0aa0ccbceGA0A00a0Aabc0bdABAa00caa0b0b0ad0BCgBehifhhcfbde0gcfRdebe0eef0aaecGfccaK0cbc"
     "bbbbcDBcBbba0gcE0aCDeAC0Acd0ceaA0fdbC00ACfDDaBcc0bf00agebBD0a0adaaaaabaaca00ecaaaai"},
    {"pam220", "BbG00C0bBDbddfLaAABfE0aBDfCDAc00db0EbBBAdCAcGabbccbbccEbccegbdebBFaDA0fA0b0bcEaabcfabccBDAHd"
     "edfeefebABf0JA0aac0aa0bcabeGA0A00a0Aabc0bdABAa00caa0b0b0ad0BCfBdhhehhcfbde0fcfQdebe0eef0aaecGfcc0K0cbc"
     "bbbbcDBcBbaa0gcE0aBDeAC0Abd0cea00fcbC00ACfDDaBbc0bf00agebBD0a0acaaaaabaaca00ecaaaah"},
    {"pam230", "BbG00B0bBDbddfLaAABfE0aADfCDAc0Ada0EbBBAdCAbGabbcbbbccEbccdgbddbBFaDA0fA0b0bcEaabcfabcbBD0Gd"
     "edfeefebABf0IA0aac0aa0bcabeFA0A00a0Aabc0bcABAa00baa0b0b0ac0BCfBdghehgcfbde0fcfQdebe0def0aaecGecc0J0cbb"
     "bbbbbDBcBaaa0gcE0aBCeAC0AbdAbea00fcbC00ACfDDaBbc0bf00afebBD0a0acaaaaabaaca00dcaaaah"},
    {"pam240", "BbF00B0aBDbddeL0AABfD0aADfCDAc0Ada0EaBBAdCAbGabbbbbbccEbccdfbcdbBFaCA0fA0b0bcEa0bceabcbBD0Gd"
     "edfeefebABe0IA0aac0aa0bcabeFA0A00a0Aaac0bcABAa00ba00a0b0ac0ACfBdgheggcebdd0fceQddbd0dde0aaecGecc0J0cbb"
     "bbbabDBcBaaa0fcD0aBCeAC0AbdAbea00ecbC00ACfCC0Bbc0be00afdbBC0a0acaaaaaaaaba00dbaaaah"},
    {"pam250", "BbF00B0aBDbddeL0AABeD0aACeBDAc0Aca0EaBBAcCAbFabbbbbbcbEbccdfbcdbBFaCA0eA0b0bcEa0bceabcbBD0Fc"
     "dcfdeeebABe0IA00ac0a00bcabeFA0A00a0Aaac0bcABAa00ba00a0b0ac0ACfBdgheggcebcd0fbeQcdbd0dde0aadbGecc0J0bbb"
     "bbbabDBbBaaa0fbD0aBCdAC0AbcAbda00ecbC00ACeCC0Bbc0be00afdbBC0a0acaaaaaaaaba00dbaaaah"},
    {"pam260", "BaF00B0aBDbdceL0AABeD0aACeBDAb0Aca0EaBBAcCAbF0bbbbbbbbDbccdfbcdbBFaCA0eA0b0bcDa0bbeabcbBD0Fc"
     "dceddeebABe0IA00ac0000bbabdFA0A0000Aaac0acAAAa00ba00a0b0ac0ABfBdfgeggcebcd0ebeQcdbd0dde0aadbGecc0J0bbb"
     "bbbabDBbBaaa0fbD0aBCdACAAbcAbda00ecbC00ACeCC0Bbb0be000fdbBC0a0ac0aaaaaaaba00dba0aag"},
    {"pam270", "BbH00B0aBEbedfP0BABgE0aBDfCEBcAAda0FbBBAdDAbHabbccbbccEbdcegbdecCHaDA0gA0b0bcFaabcfacccCE0Hd"
     "edgefgfbABf0LA00ac0a00bcabfGA0A00a0Aabc0bdABAaA0ca00a0b0ad0BCgCehjfiicfbdeAgcfWdeceAeef0aaecIfdc0M0cbc"
     "bbbbcEBcBaaa0hcE0aBDeBCAAcdAcfaA0gdbC00BCgDD0Bbc0bf00agebCD0a0adaaaaabaaca00ecaaaaj"},
    {"pam280", "BbG00B0aBDbddfO0BABfD0aBDfCDBcAAda0FaBBAdCAbHabbccbbccEbccegbdebCGaDA0fA0b0bcFa0bcfabcbCE0Gd"
     "edgeeffbABf0KA00ac0000bcabeGA0A0000Aabc0bdABAaA0ca00a0b0adAACgCehifhhcfbdeAgcfVdeceAeef0aaecIfcc0M0cbb"
     "bbbacDBcBaaa0gcE0aBDeBCAAbdAbeaA0fdbC00ACfDD0BbcAbf000gebBD0a0acaaaaaaaaca00ecaaaai"},
    {"pam290", "BbG00B0aBDbddfO0BABfD0aBDfCDBcAAda0EaBBAdCAbGabbccbbccEbccdgbddbCGaDA0fA0b0bcEa0bcfabcbCE0Gd"
     "edfeeffbACf0KA00ac0000bcabeGA0A0000Aaac0bdABAaA0ba00a0b0acAACgCehiehhcfbdeAfcfVdeceAeef0aaebIfcc0M0cbb"
     "bbbabDBcBaaa0gcE00BCeBCAAbdAbeaA0fdbC00ACfCD0BbcAbf000gebBD0a0ac0aaaaaaaca00eba0aai"},
    {"pam300", "BaG00B0aBDbddfO0BABfD0aBDfCDBbAAda0EaBBAdCAbG0bbbcbbcbEbccdgbddbCGaDA0fA0b0bcEa0bcfabcbCD0Fd"
     "edfeefebACfAKA00ac0000bcabeFA0A0000Aaac0bdAAAa00ba00a0b0acAABfCegiehhcfbdeAfcfVdebeAdef0a0ebIecc0L0cbb"
     "bbbabDBbBaaa0gcE00BCeBCAAbdAbe0A0fdbC00ACfCC0BbcAbe000febBC0a0ac0aa0aaaaba00db00aai"},
    {"pam310", "BaF00B0aBDbddeO0AABfD0aBDfCDAbAAcaAEaBBAdCAbG0bbbbbbbbDbccdfbcdbCGaDA0fA0a0bcEa0bbfabcbCD0Fd"
     "edfdefebACeAKA00ac0000bcabeFA0A0000Aaac0bdAAAa00ba00a0b0acAABfCdgieghcebcdAfcfVddbeAdef0a0ebIecc0L0bbb"
     "bbbabDBbBaaa0gbD00BCeBCAAbcAbe0A0fdbC00ACfCC0BbcAbe000fdbBC0a0ac0aa0aaaab000db000ai"},
    {"pam320", "AaF00BAaBDbddeO0AABeD0aBCeBDAbAAcaAEaBBAdCAbF0bbbbbbbbDbccdfbcdbCGaDA0fA0a0bcEa0bbeabcbBD0Fd"
     "edfdeeebACeAKA000c0000bbabeFA0A0000Aaac0acAAAa00b000a0b0acAABfCdgheggcebcdAfceVddbeAdee0a0ebIeccAL0bbb"
     "bbbabDBbBaaa0fbD00BCdBCAAbcAbe0A0fcbB00ACeCC0BbcAbe000fdbBC0a0ac00a00aa0b000db000ah"},
    {"pam330", "AaF00BAaBCbddeO0AABeC0aBCeBCAbAAcaAEaBAAcCAbF0bbbbbbbbDbccdfbcdbCFaDA0eA0a0bcEa0abeabbbBD0Ec"
     "dceddeebACeAJA000c0000bbabeFA0A0000Aaac0acAAAa00b000a0a00cAABfCdgheggcebcdAfceVcdbdAdde000dbIeccAL0bab"
     "bbbabDBbBaaa0fbD00BCdABAAbcAbd0A0ecbB00ACeCC0BbbAae000fdbBC0a00c00a00aa0b000db000ah"},
    {"pam340", "AaF00AAaBCbdceO0AABeC00ACeBCAbAAcaADaBAAcCAbF0bbbbbbbbDbccdfbcdbCFaDA0eA0a0bcDa0abeabbbBD0Ec"
     "dceddeebACeAJA000c0000bbabdEA0A0000A0ab0acAAA000b000a0a00cAABfCdgheggbebcdAeceVcdbdAdde000dbIeccAL0bab"
     "bbaabCBbBaaa0fbD00BCdABAAbcAbd0A0ecbB00ACeCC0BbbAae000fdbBC0a00c00a00a00b000db000ah"},
    {"pam350", "BaG0ABAaBDbddfR0BABfDA0BDfCDBbAAdaAEaBBAdCAbG0bbbcbbbbEbccdgbddbDHaDAAfA0aAbcEa0bcfabcbCE0Fd"
     "edfeeffbBCfAMA000cA000bcabeFA0AA000Aaac0bdAAAaA0b00Aa0b0acAABgDehjehhcfbdeAgcf1deceAeef000ebKfccAN0cbb"
     "bbbabDCbBaaa0gbEA0BCeBCAAbdAbe0A0fdbC0ABCfCC0BbcAbf000gebBC0a0ac00a00aa0b000eb000aj"},
    {"pam360", "AaF0ABAaBDbddfR0BABfCA0BDfCDBbAAdaAEaBBAdCAbG0bbbcbbbbDbccdgbcdbCGaDAAfA0aAbcEa0bbfabcbCE0Fd"
     "edfdeffbBCfALA000cA000bcabeFA0AA000A0ac0bdAAA0A0b00Aa0b0acAABgDehiehhcfbddBfcf1deceAdef000ebKeccAN0bbb"
     "bbbabDCbBaaa0gbDA0BCeBCAAbdAbe0A0fdbB0ABCfCC0BbcAbe000gebBC0a00c00a00aa0b000db000ai"},
    {"pam370", "AaF0ABA0BDbddeR0BABfCA0BCfBCBbAAcaAEaBBAdCAbF0bbbbbbbbDbccdfbcdbCGaDAAfAAaAbcEa0bbfabcbCE0Ed"
     "edfdefebBCfALA000cA000bcabeFA0AA000A0ac0adAAA000b00Aa0a00cAABgCegiehhcebcdBfcf1ddceAdef000ebKeccAN0bab"
     "bbbabDCbB0aa0gbDA0BCeBCAAbcAbe0A0fdbB0AACfCC0BbcAbe000febBC0a00c00a00a00b000db000ai"},
    {"pam380", "AaF0AAA0BCbddeQ0BABeCA0BCeBCBbAAcaAEaBAAdCAaF0bbbbbbbbDbccdfbcdbCGaDAAfAAaAbcEa0abeabbbCD0Ed"
     "edfdeeebBCeALA000cA000bb0beEA0AA000A0ac0adAAA000b00Aa0a00cAABfCegieghcebcdBfcfZddceAdee000ebJeccAM0bab"
     "bbbabDCbB0aa0fbDA0BCdBCAAbcAbe0A0fdbB0AACeCC0BbcAae000fdbBC0000c00000a00b000db000ai"},
    {"pam390", "AaF0AAA0BCbddeQ0AABeCA0BCeBCAbAAc0AEaBAAdCAaF0bbbbbbbbDbccdfbcdbCGaDAAeAAaAbcDa0abeabbbCD0Ec"
     "ededdeebBCeALA000c0000ab0beEA0AA000A0ab0acAAA000b00Aa0a00cAAAfCdgieggcebcdBfceZddceAdee000eaJeccAM0bab"
     "baaabDCbB0aa0fbDA0BCdBBAAbcAbe0A0fdbB0AACeCC0BbbAae000fdaBC0000c00000a00b000db000ai"},
    {"pam400", "AaE0AAA0BCbdceQ0AABeCA0BCeBCAbAAc0ADaBAAcCAaE0babbbbbbDbcccfbccbCGaDAAeAAaAbbDa0abeabbaBD0Ec"
     "dceddeebBCeAKA000b0000ab0adEA0AA000A0ab0acAAA000b00Aa0a00cAAAfCdgheggbebcdBfceZcdcdAdde000daJeccAM0bab"
     "baaabCCbB0aa0fbDA0BBdBBAAbcAbd0A0ecaB0AABeBC0BbbAae000fdaBC0000c00000a00b000db000ah"},
    {"pam410", "AaF0AAA0BCbddfT0BABfCA0BCfBCBbAAd0AEaBAAdCAaF0bbbcbbbbDbccdgbcdbDHaDAAfAAaAbcEa0bbfabcbCE0Ed"
     "edfdeffbBDfANA000cA000bc0beFA0AA00AA0ac0adAAA0A0b00Aa0a00cAABgDehjehhcfbcdBgcf5deceAdef00AebLeccBO0bab"
     "bbbabDCbB0aa0gbDA0BCeBCAAbcAbe0A0fdbB0ABCfCC0BbcAbe000gebBC0000c00000a00b000db000aj"},
    {"pam420", "AaF0AAA0BCbddeT0BABfCA0BCfBCBbAAc0AEaBAAdCAaF0bbbcbbbbDbccdgbcdbDG0DAAfAAaAbcEa0abfabbbCE0Ed"
     "edfdeffbBDfAMA000cA000bb0beEA0AA00AA0ac0adAAA000b00Aa0a00cAAAgDehjehhcfbcdBfcf5deceAdef00AeaLeccBO0bab"
     "bbbabDCbB0aa0gbDA0BCeBCAAbcAbe0A0fdbB0ABCfCC0BbcAae000gebBC0000c00000a00b000db000aj"},
    {"pam430", "AaF0AAA0BCbddeT0BABfCA0BCeBCBbAAc0AEaBAAdCAaE0bbbbbbbbDbccdfbcdbDG0DAAfAAaAbcDa0abeabbaCE0Ed"
     "edfdefebBDeAMA000cA000ab0beEA0AA00AA0ab0adAAA000b00Aa0a00cAAAgDegiehhcebcdBfcf5ddceAdee00AeaLeccBO0bab"
     "baaabDCbB0aa0gbDA0BCdBBAAbcAbe0A0fdaB0AACeCC0BbcAae000feaBC0000c00000a00b000db000ai"},
    {"pam440", "AaE0AAA0BCbddeT0BABeCA0BCeBCBbAAc0ADaBAAdCAaE0bbbbbbbbDbcccfbcdbDG0DAAeAAaAbcDa0abeabbaCE0Dd"
     "edfddeebBDeAMA000cA000ab0aeEA0AA00AA0ab0adAAA000b00Aa0a00cAAAfDegieghcebcdBfcf4ddceAdee00AeaLeccBO0bab"
     "baaabCCbB0aa0fbDA0BBdBBAAbcAbe0A0fdaB0AABeBC0BbbAae000fdaBC0000c00000a00b000db000ai"},
    {"pam450", "AaE0AAA0BCbddeT0BABeCA0BCeBCAaAAc0ADaBAAdCAaE0babbabbbDbcbcfbccbCG0DAAeAAaAbbDa0abeabbaCD0Dc"
     "ddeddeebBDeAMA000bA000ab0aeEA0AA00AA0ab0acAAA000b00Aa0a00cAAAfDdgieghbeacdBfce4ddceAdee00AeaLeccBN0baa"
     "baaabCCbB0aa0fbCA0ABdBBAAbcAbd0A0fdaB0AABeBC0BbbAae000fdaBB0000b00000a00b000db0000i"},
    {"pam460", "AaE0AAA0BCbdceS0AABeBA0ACeBCAaAAc0AD0BAAcBAaE0babbabbbCabbcfbccbCG0DAAeAAaAbbDa0abeabbaBD0Dc"
     "dcecdeebBCeALA000bA0A0ab0adDA0AA00AA0ab0acAAA000b00A00a00cAAAfDdgieggbeacdBfce4cdcdBdde00AdaKeccBN0baa"
     "baaabCCbB0aa0fbCA0ABdABAAbcAbd0A0fdaB0AABeBB0BbbAae000fdaBB0000b00000a00b000db0000i"},
    {"pam470", "AaFAAAA0BCbddeV0BABfCA0BCeBCBaAAc0AEaBAAdCAaE0bbbbbbbbDbccdfbcdbDH0DAAfAAaAbcDa0abfabbaCE0Dd"
     "edfdeffbBDeANA000cA0A0ab0aeEA0AA00AA0ab0adAAA000b00A00a00cAAAgDehjehhcebcdCfdf9deceBdef00AeaMeccBP0bab"
     "baaabCCbB0aa0gbDA0BCeBBAAbcAbe0A0fdaB0AACfBCABbcAaeA00geaBC0000c00000a00b000db0000j"},
    {"pam480", "AaEAAAA0BCbddeV0BABeCA0BCeBCBaAAc0AD0BAAdCAaE0babbbbbbDbcccfbcdbDG0DAAfAAaAbcDa0abeabbaCE0Dd"
     "edfdeeebBDeANA000cA0A0ab0aeEA0AA00AA0ab0adAAA000b00A00a00cAAAgDegjehhcebcdCfcf9ddceBdee00AeaMeccBP0baa"
     "baaabCCbB0aa0gbCA0BBdBBAAbcAbe0A0fdaB0AABeBCABbcAaeA00feaBB0000c00000a00b000db0000j"},
    {"pam490", "AaE0AAA0BCbddeV0BABeBA0BCeBCBaAAc0AD0BAAdBAaE0babbabbbCacbcfbccbDG0DAAeAAaAbbDa0abeabbaCE0Dc"
     "ededdeebBDeANA000cA0A0ab0aeDA0AA00AA0ab0adAAA000b00A00a00cAAAfDegieghceacdCfcf8ddceBdee00AeaMeccBO0baa"
     "baaabCCbB0aa0fbCA0ABdBBAAbcAbe0A0fdaB0AABeBBABbbAaeA00fdaBB0000b00000a00b000db0000i"},
    {"pam500", "AaE0AAA0BCbdceV0BABeBA0ACeBCAaAAc0AD0BAAdBAaD0babbabbbCabbcfbccbDG0DAAeAA0AbbDa0abeaabaCD0Dc"
     "ddecdeebBDeAMA000bA0A0ab0adDA0AA00AA0ab0acAAA000b00A00a00cAAAfDegieghbeacdCfcf8cdceBdee00AeaMeccBO0baa"
     "baaabCCbB0aa0faCA0ABdBBAAbcAad0A0fdaB0AABeBBABbbAaeA00fdaBB0000b00000a00b000db0000i"},
}};
// clang-format on

}  // namespace wale::wavefront
