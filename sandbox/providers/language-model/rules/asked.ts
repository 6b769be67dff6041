import { TASK } from '#providers/language-model/prompt.ts';
import type { ChatRequest, ChatTurn } from '../chat-schema.ts';

/** What the sandbox's rules are asked, read out of the messages. */
export interface ModelQuestion {
  readonly task: string;
  /** What the platform said is to be done. The rules look for their own marks in it only. */
  readonly system: string;
  /** What the person said last, without the material in front of it. */
  readonly said: string;
  /** What the person said before, newest first. */
  readonly earlier: readonly string[];
  readonly material: string;
  /** The fields that the answer may have, where it is to be JSON. */
  readonly shape: Shape | undefined;
}

export interface Shape {
  readonly properties?: Readonly<Record<string, Property>>;
}

interface Property {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Property[];
  readonly const?: unknown;
}

const FENCE = /^<(material-[0-9a-f]{16})>\n([\s\S]*?)\n<\/\1>\s*/;

export function readAsked({ messages, response_format }: ChatRequest): ModelQuestion {
  const system = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(textOf);
  const people = messages.filter(({ role }) => role === 'user').map(textOf);
  const [last = '', ...earlier] = people.toReversed();
  const [fenced = '', , material = ''] = FENCE.exec(last) ?? [];
  const [first = ''] = (system[0] ?? '').split('\n');
  return {
    task: first.startsWith(TASK) ? first.slice(TASK.length) : '',
    system: system.join('\n'),
    said: last.slice(fenced.length),
    earlier: earlier.map((text) => text.replace(FENCE, '')),
    material,
    shape:
      response_format?.type === 'json_schema'
        ? (response_format.json_schema.schema as Shape)
        : undefined,
  };
}

const textOf = ({ content }: ChatTurn): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('\n');

/** Only the fields that were asked for, each in a word that was offered; all, where none was named. */
export function shaped(
  answer: Readonly<Record<string, unknown>>,
  shape: Shape | undefined,
): object {
  if (shape?.properties === undefined) return answer;
  const kept = Object.entries(shape.properties).flatMap(([name, property]) => {
    const value = answer[name];
    if (value === undefined || value === null) return takesNull(property) ? [[name, null]] : [];
    return [[name, typeof value === 'string' ? offered(value, property) : value]];
  });
  return Object.fromEntries(kept);
}

const optionsOf = (property: Property): readonly Property[] => [
  property,
  ...(property.anyOf ?? []),
];

const takesNull = (property: Property): boolean =>
  optionsOf(property).some(({ type }) => type === 'null' || [type].flat().includes('null'));

function offered(value: string, property: Property): unknown {
  const words = optionsOf(property).flatMap((option) => [
    ...(option.enum ?? []),
    ...(option.const === undefined ? [] : [option.const]),
  ]);
  const same = words.find((word) => String(word).toLowerCase() === value.toLowerCase());
  return same ?? value;
}
