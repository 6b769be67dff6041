import type { TObject } from 'typebox';
import { Value } from 'typebox/value';

/** What a setting's schema says to people; see setting-kinds.ts. */
interface FaultSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly rule?: string;
  readonly example?: string;
}

const SHOWN_MAX = 40;

/**
 * What is wrong with each value that its setting does not take: its name, what is allowed, an example. A
 * value is printed only where it was to be a word or a number: any other may be a secret.
 */
export function wrongValues(settings: TObject, read: unknown): string[] {
  const given = read as Readonly<Record<string, unknown>>;
  // One by one: a check of a whole object reports only the first few faults.
  const wrong = Object.entries(settings.properties).filter(
    ([name, setting]) => given[name] !== undefined && !Value.Check(setting, given[name]),
  );
  return wrong.map(([name, schema]) => `${name} ${sentenceOf(schema as FaultSchema, given[name])}`);
}

function sentenceOf(schema: FaultSchema, value: unknown): string {
  if (schema.rule !== undefined)
    return schema.example === undefined ? schema.rule : `${schema.rule}, such as ${schema.example}`;
  return `must be ${allowed(schema)}, not ${JSON.stringify(String(value).slice(0, SHOWN_MAX))}`;
}

function allowed({ enum: words, type, minimum = 0, maximum }: FaultSchema): string {
  if (words) return [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' or ');
  if (type === 'boolean') return 'true or false';
  const range = maximum === undefined ? `of ${minimum} or more` : `from ${minimum} to ${maximum}`;
  return `a whole number ${range}`;
}

/** A setting with a wrong value may break a rule of several, too: once is enough. */
export function onePerSetting(faults: readonly string[]): string[] {
  const names = faults.map((fault) => fault.split(' ', 1)[0]);
  return faults.filter((_, i) => names.indexOf(names[i]) === i);
}

/** An error for the operator to read, one line for each where there are several. */
export const badConfiguration = (faults: readonly string[]): Error =>
  new Error(
    faults.length === 1
      ? `Bad configuration: ${faults[0]}`
      : `Bad configuration:${faults.map((fault) => `\n  ${fault}`).join('')}`,
  );
