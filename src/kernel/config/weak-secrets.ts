import { validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

/**
 * Secrets that are none: published ones, and those that were not drawn at random. What is random
 * passes, but for once in many million draws.
 */

const KEY_BYTES_MIN = 16;
const TEXT_CHARACTERS_MIN = 8;
/** Placeholders where a secret belongs. */
const PLACEHOLDER = /change.?(me|this)|secret|password|example|your.?(key|256)|qwerty|0123456789/i;

/** What is wrong with the newest key, which seals; older ones may have to be kept to open with. */
export function weakMasterKey(keys: string): string | undefined {
  const [newest = ''] = keys.split(',');
  const bytes = [...Buffer.from(newest.slice(newest.indexOf(':') + 1), 'base64')];
  const steps = bytes.slice(1).map((byte, i) => (byte - (bytes[i] ?? 0) + 256) % 256);
  if (new Set(bytes).size < KEY_BYTES_MIN || new Set(steps).size < KEY_BYTES_MIN / 2)
    return 'is no random key';
  if (bytes.every((byte) => byte >= 0x20 && byte < 0x7f)) return 'is text, not random bytes';
  return undefined;
}

/** What is wrong with a text that signs. */
export function weakText(secret: string): string | undefined {
  if (new Set(secret).size < TEXT_CHARACTERS_MIN) return 'has too few different characters';
  if (repeats(secret)) return 'is a repetition';
  if (PLACEHOLDER.test(secret)) return 'is a placeholder that everybody knows';
  return undefined;
}

/** Whether it is a shorter text again and again, perhaps cut off at the end. */
function repeats(text: string): boolean {
  const periods = Array.from({ length: Math.floor((text.length * 2) / 3) }, (_, i) => i + 1);
  return periods.some((period) => text.startsWith(text.slice(period)));
}

/** What is wrong with a mnemonic anywhere: no wallet takes it. */
export const badMnemonic = (words: string): string | undefined =>
  validateMnemonic(words, wordlist)
    ? undefined
    : 'is no BIP-39 mnemonic: a word is wrong or missing, or the last one does not fit the others';

/** What is wrong with a mnemonic that is to be a secret. */
export function weakMnemonic(phrase: string): string | undefined {
  const words = spaced(phrase).split(' ');
  // Of random words hardly ever one comes twice; those who choose like to repeat themselves.
  if (new Set(words).size < words.length * 0.75) return 'repeats its words';
  return KNOWN_MNEMONICS.includes(words.join(' ')) ? 'is published: everybody has it' : undefined;
}

const spaced = (phrase: string): string => phrase.trim().toLowerCase().split(/\s+/).join(' ');

/** Of tools (Ganache, Truffle) and of the examples and test vectors of standards and libraries. */
export const KNOWN_MNEMONICS: readonly string[] = [
  'myth like bonus scare over problem client lizard pioneer submit female collect',
  'candy maple cake sugar pudding cream honey rich smooth crumble sweet treat',
  'announce room limb pattern dry unit scale effort smooth jazz weasel alcohol',
  'legal winner thank year wave sausage worth useful legal winner thank yellow',
  'letter advice cage absurd amount doctor acoustic avoid letter advice cage above',
  'ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic',
  'gravity machine north sort system female filter attitude volume fold club stay feature office ecology stable narrow fog',
  'hamster diagram private dutch cause delay private meat slide toddler razor book happy fancy gospel tennis maple dilemma loan word shrug inflict delay length',
  'scheme spot photo card baby mountain device kick cradle pact join borrow',
  'horn tenant knee talent sponsor spell gate clip pulse soap slush warm silver nephew swap uncle crack brave',
  'panda eyebrow bullet gorilla call smoke muffin taste mesh discover soft ostrich alcohol speed nation flash devote level hobby quick inner drive ghost inside',
  'cat swing flag economy stadium alone churn speed unique patch report train',
  'light rule cinnamon wrap drastic word pride squirrel upgrade then income fatal apart sustain crack supply proud access',
  'all hour make first leader extend hole alien behind guard gospel lava path output census museum junior mass reopen famous sing advance salt reform',
  'vessel ladder alter error federal sibling chat ability sun glass valve picture',
  'scissors invite lock maple supreme raw rapid void congress muscle digital elegant little brisk hair mango congress clump',
  'void come effort suffer camp survey warrior heavy shoot primary clutch crush open amazing screen patrol group space point ten exist slush involve unfold',
];
