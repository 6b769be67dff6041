import { nearestWord } from '#kernel/spelling.ts';

/** Shoppers' words in English and Indonesian, to correct misspelt ones and to translate. */
const PAIRS = `
acoustic akustik, backpack ransel, bag tas, bamboo bambu, basket keranjang, batik batik, bead manik,
black hitam, blue biru, book buku, camera kamera, candle lilin, car mobil, case casing, ceramic keramik,
chair kursi, clock jam, cloth kain, clothing pakaian, coffee kopi, dress gaun, earrings anting, flute seruling,
food makanan, gift hadiah, glass kaca, glasses kacamata, gold emas, green hijau, guitar gitar, handmade buatan,
hat topi, headphones headphone, herbal herbal, jacket jaket, jewelry perhiasan, kitchen dapur, lamp lampu,
large besar, laptop laptop, leather kulit, mat matras, mug mug, natural alami, necklace kalung, paper kertas,
pearl mutiara, pen pena, phone ponsel, pillow bantal, plate piring, puppet wayang, rattan rotan, red merah,
ring cincin, rug karpet, running lari, sandals sandal, scarf syal, shirt kemeja, shoes sepatu, silver perak,
sketch sketsa, small kecil, soap sabun, spoon sendok, sugar gula, table meja, tea teh, tote jinjing, toy mainan,
vintage klasik, wall dinding, wallet dompet, watch arloji, white putih, wireless nirkabel, wood kayu, wooden kayu,
yellow kuning, yoga yoga`;

const OTHER_LANGUAGE = new Map<string, string>();
for (const pair of PAIRS.split(',')) {
  const [english = '', indonesian = ''] = pair.trim().split(' ');
  if (!OTHER_LANGUAGE.has(indonesian)) OTHER_LANGUAGE.set(indonesian, english);
  OTHER_LANGUAGE.set(english, indonesian);
}
const WORDS = [...OTHER_LANGUAGE.keys()];

/** Variants of a query: with corrected spelling, and in the other language; without the query itself. */
export function ownVariants(query: string): string[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const spelt = words.map((word) => spellingOf(word) ?? word);
  const other = spelt.map((word) => OTHER_LANGUAGE.get(word) ?? word);
  const asked = words.join(' ');
  return [...new Set([spelt.join(' '), other.join(' ')])].filter((variant) => variant !== asked);
}

/** The known word nearest to an unknown one; undefined where none is near. */
function spellingOf(word: string): string | undefined {
  if (OTHER_LANGUAGE.has(word) || word.length < 4 || word.length > 30) return undefined;
  const most = word.length > 6 ? 2 : 1;
  return nearestWord(word, WORDS, most);
}
