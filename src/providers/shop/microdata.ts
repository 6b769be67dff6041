/** An item that a page marks up, with its type and the first value of each property. */
export interface Item {
  /** The address of its type: `https://schema.org/Product`. */
  readonly type: string;
  readonly props: ReadonlyMap<string, string | Item>;
}

interface OpenItem extends Item {
  readonly props: Map<string, string | Item>;
}

interface Frame {
  /** The item that this element opens. */
  readonly item?: OpenItem;
  /** The property whose value is this element's text. */
  readonly name?: string;
  readonly of?: OpenItem;
  text: string;
}

const ITEMS_MAX = 200;
const PROPS_MAX = 100;
const TEXT_MAX = 4096;
/** Nested properties of text: each piece of text is added to all of them. */
const TEXTS_MAX = 16;

/** The attribute with a property's value, by element; any element may have `content`. */
const VALUES: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  data: 'value',
  img: 'src',
  link: 'href',
  meter: 'value',
  source: 'src',
  time: 'datetime',
};

type Attributes = Readonly<Record<string, string>>;

/** Collects microdata from a stream of tags: `open` and `close` for each element, texts in between. */
export class ItemReader {
  readonly items: Item[] = [];
  isTooMuch = false;
  private readonly frames: Frame[] = [];
  private readonly texts: Frame[] = [];
  private readonly scopes: OpenItem[] = [];
  private count = 0;

  open(element: string, attributes: Attributes): void {
    const frame = this.frameOf(element, attributes);
    this.frames.push(frame);
    if (frame.item) this.scopes.push(frame.item);
    if (frame.name !== undefined) this.texts.push(frame);
    this.isTooMuch ||= this.count > ITEMS_MAX || this.texts.length > TEXTS_MAX;
  }

  text(piece: string): void {
    for (const frame of this.texts)
      if (frame.text.length < TEXT_MAX) frame.text = (frame.text + piece).slice(0, TEXT_MAX);
  }

  close(): void {
    const frame = this.frames.pop();
    if (frame?.item) this.scopes.pop();
    if (frame?.name === undefined) return;
    this.texts.pop();
    if (frame.of) put(frame.of, frame.name, frame.text);
  }

  private frameOf(element: string, attributes: Attributes): Frame {
    const of = this.scopes.at(-1);
    const { itemscope, itemprop, itemtype = '', content } = attributes;
    if (itemscope !== undefined) {
      this.count += 1;
      const item: OpenItem = { type: itemtype.trim(), props: new Map() };
      if (itemprop === undefined) this.items.push(item);
      else if (of) put(of, itemprop, item);
      return { item, text: '' };
    }
    if (itemprop === undefined || of === undefined) return { text: '' };
    const value = content ?? attributes[VALUES[element] ?? ''];
    if (value === undefined) return { name: itemprop, of, text: '' };
    put(of, itemprop, value.slice(0, TEXT_MAX));
    return { text: '' };
  }
}

/** One element may name several properties; the first value of each counts. */
function put({ props }: OpenItem, names: string, value: string | Item): void {
  for (const name of names.split(/\s+/u).filter(Boolean))
    if (!props.has(name) && props.size < PROPS_MAX) props.set(name, value);
}
