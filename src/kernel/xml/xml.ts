import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser';

/** An element as it was read: child elements in lists by their names, attributes as `@name`, and its text. */
export interface XmlNode {
  readonly [name: string]: readonly XmlNode[] | string | undefined;
  readonly '#text'?: string;
}

/** An element to write: text, or children by their names in their order; a list repeats the element. */
export type XmlTree =
  | string
  | { readonly [name: string]: XmlTree | readonly XmlTree[] | undefined };

const TEXT = '#text';
const DEPTH_MAX = 50;

/** Comments aside, `<!` begins a document type, an entity or a CDATA section, which no message needs. */
const DECLARATION = /<!(?!--)/;
const FOREIGN_ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  alwaysCreateTextNode: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // The five of XML itself, and numbers; a document type that could declare more is refused before.
  processEntities: { enabled: true, maxTotalExpansions: 100_000 },
  htmlEntities: true,
  maxNestedTags: DEPTH_MAX,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: false,
  format: false,
});

/**
 * The root of a document, with its elements by their local names; undefined where the text is not well formed, or
 * declares a document type or entities, which are refused before anything is parsed.
 */
export function readXml(text: string): XmlNode | undefined {
  if (DECLARATION.test(text) || FOREIGN_ENTITY.test(text)) return undefined;
  if (XMLValidator.validate(text) !== true) return undefined;
  try {
    const root = parser.parse(text) as XmlNode;
    return Object.keys(root).length === 1 ? root : undefined;
  } catch {
    return undefined;
  }
}

/** All elements below that path; those of the last name may be several. */
export function elementsOf(node: XmlNode | undefined, ...path: readonly string[]): XmlNode[] {
  let found: readonly XmlNode[] = node === undefined ? [] : [node];
  for (const name of path)
    found = found.flatMap((one) => {
      const children = Object.hasOwn(one, name) ? one[name] : undefined;
      return Array.isArray(children) ? (children as readonly XmlNode[]) : [];
    });
  return [...found];
}

/** The text of the first element at that path, without blanks around it; undefined where there is none. */
export function textAt(node: XmlNode | undefined, ...path: readonly string[]): string | undefined {
  const text = elementsOf(node, ...path)[0]?.[TEXT];
  return text === undefined || text === '' ? undefined : `${text}`;
}

/** An attribute of the first element at that path. */
export function attributeAt(
  node: XmlNode | undefined,
  name: string,
  ...path: readonly string[]
): string | undefined {
  const value = elementsOf(node, ...path)[0]?.[`@${name}`];
  return typeof value === 'string' ? value : undefined;
}

/** What XML cannot contain, in no spelling: control characters and halves of characters. */
const UNWRITABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A whole document in UTF-8; what XML cannot contain is left out. */
export const writeXml = (root: XmlTree): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(root)}`.replace(UNWRITABLE, '');

/** A part of a document, without its declaration. */
export const xmlPart = (part: XmlTree): string =>
  String(builder.build(part)).replace(UNWRITABLE, '');
