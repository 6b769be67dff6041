import { Parser } from 'htmlparser2';
import { type Item, ItemReader } from './microdata.ts';

/** A page's facts that are meant for machines. */
export interface PageFacts {
  /** The texts of its JSON-LD scripts. */
  readonly scripts: readonly string[];
  /** The first `content` of each `property` or `name`, in lower case. */
  readonly meta: ReadonlyMap<string, string>;
  readonly title: string;
  /** Its outermost microdata items. */
  readonly items: readonly Item[];
}

const ELEMENTS_MAX = 50_000;
const DEPTH_MAX = 256;
const SCRIPTS_MAX = 20;
const SCRIPT_MAX = 256 * 1024;
const META_MAX = 200;
const TEXT_MAX = 4096;
/** Characters between two checks of the limits. */
const PIECE = 16 * 1024;

/**
 * Walks through a page once, from tag to tag, without building a tree. Undefined for a page that is larger or deeper
 * than any shop's: the walk ends where that shows.
 */
export function readFacts(html: string): PageFacts | undefined {
  const facts = { scripts: [] as string[], meta: new Map<string, string>(), title: '' };
  const items = new ItemReader();
  let elements = 0;
  let depth = 0;
  let reading: 'script' | 'title' | undefined;
  let text = '';
  let isTooMuch = false;

  const parser = new Parser({
    onopentag(name, attributes) {
      elements += 1;
      depth += 1;
      isTooMuch ||= elements > ELEMENTS_MAX || depth > DEPTH_MAX;
      if (isTooMuch) return;
      items.open(name, attributes);
      if (name === 'meta') keepMeta(facts.meta, attributes);
      if (name === 'title' && facts.title === '') reading = 'title';
      if (name === 'script' && isJsonLd(attributes)) reading = 'script';
      text = '';
    },
    ontext(piece) {
      items.text(piece);
      if (reading === undefined || (reading === 'title' && text.length >= TEXT_MAX)) return;
      text += piece;
      isTooMuch ||= text.length > SCRIPT_MAX;
    },
    onclosetag(name) {
      depth -= 1;
      if (isTooMuch) return;
      items.close();
      if (name !== reading) return;
      if (name === 'script') facts.scripts.push(text);
      else facts.title = text.slice(0, TEXT_MAX);
      isTooMuch ||= facts.scripts.length > SCRIPTS_MAX;
      reading = undefined;
    },
  });
  for (let at = 0; at < html.length && !isTooMuch; at += PIECE)
    parser.write(html.slice(at, at + PIECE));
  if (isTooMuch || items.isTooMuch) return undefined;
  parser.end();
  return isTooMuch || items.isTooMuch ? undefined : { ...facts, items: items.items };
}

type Attributes = Readonly<Record<string, string>>;

const isJsonLd = ({ type = '' }: Attributes): boolean =>
  type.split(';')[0]?.trim().toLowerCase() === 'application/ld+json';

function keepMeta(meta: Map<string, string>, attributes: Attributes): void {
  const { property, name, content } = attributes;
  const key = (property ?? name)?.toLowerCase();
  if (key === undefined || content === undefined || meta.has(key) || meta.size >= META_MAX) return;
  meta.set(key, content.slice(0, TEXT_MAX));
}
