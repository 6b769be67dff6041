import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';

export type IsoMessage =
  | 'pain.001.001.09'
  | 'pain.002.001.10'
  | 'camt.053.001.08'
  | 'camt.054.001.08';

const folder = import.meta.dirname;
const validators = new Map<IsoMessage, XsdValidator>();

/** What is wrong with a message by its published definition; empty where nothing is. */
export function faultsOf(message: IsoMessage, xml: string): string[] {
  let validator = validators.get(message);
  if (validator === undefined) {
    const schema = XmlDocument.fromString(readFileSync(`${folder}/${message}.xsd`, 'utf8'));
    validator = XsdValidator.fromDoc(schema);
    validators.set(message, validator);
  }
  const document = XmlDocument.fromString(xml);
  try {
    validator.validate(document);
    return [];
  } catch (error) {
    return [String((error as Error).message)];
  } finally {
    document.dispose();
  }
}

/** The definitions' hashes, by the list of their sources. */
export function hashesOf(): readonly (readonly [file: string, kept: string, listed: string])[] {
  const readme = readFileSync(`${folder}/README.md`, 'utf8');
  return [...readme.matchAll(/^\| `([\w.]+)` \|.*`([0-9a-f]{64})` \|$/gm)].map(
    ([, file = '', listed = '']) => {
      const kept = createHash('sha256')
        .update(readFileSync(`${folder}/${file}`))
        .digest('hex');
      return [file, kept, listed] as const;
    },
  );
}
