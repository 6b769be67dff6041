import { relative } from 'node:path';
import { Value } from 'typebox/value';
import { expect, type RunnerTestFile, type RunnerTestSuite } from 'vitest';
import { catalogueOf } from '#kernel/events/catalogue.ts';
import { envelopeOf } from '#kernel/events/envelope.ts';
import { type LoggedEvent, readLog } from '#kernel/events/event-log.ts';
import type { App } from '#src/app/app.ts';
import { EMITTED_IN } from './emitted-in.ts';
import type { Body, Harness } from './harness.ts';

const DATA_MAX = 64 * 1024;

/** All events so far, in order, each checked against the catalogue. */
async function everything({ kernel, features }: App): Promise<LoggedEvent[]> {
  await kernel.events.settle();
  const catalogue = catalogueOf(features.events);
  const told: LoggedEvent[] = [];
  for (let after = 0; ; ) {
    const { events, upto } = await readLog(kernel.db, { after, limit: 1000 });
    told.push(...events);
    if (events.length === 0) break;
    after = upto;
  }
  const wrong = told.flatMap((event) => {
    // Made up by a test, which emits it by hand.
    if (event.type.startsWith('test.')) return [];
    const data = JSON.parse(event.data);
    const types = catalogue.of(event.type);
    if (types.some(({ schema }) => Value.Check(schema, data)) && event.data.length <= DATA_MAX)
      return [];
    const faults = types.flatMap(({ schema }) => Value.Errors(schema, data));
    return [`${event.type}: ${faults.map((f) => `${f.instancePath} ${f.message}`).join(', ')}`];
  });
  if (wrong.length > 0) throw new Error(`Not as the catalogue says:\n${wrong.join('\n')}`);
  return told;
}

/** Of test files, the number of running services, and the types of all their events. */
const files = new Map<string, { running: number; readonly told: Set<string> }>();

/**
 * At the end of a service: fails for an event that the catalogue does not have, or that does not match it; and, after
 * the last service of a file whose tests have all passed, for a listed type that the file has not emitted.
 */
export function watchEmitted(app: App): (file: RunnerTestFile) => Promise<void> {
  const { testPath = '' } = expect.getState();
  const name = relative('.', testPath);
  const known = files.get(name) ?? { running: 0, told: new Set() };
  files.set(name, known);
  known.running += 1;
  for (const [other, { running }] of files)
    if (other !== name && running > 0) throw new Error(`${other} has left a service running`);
  return async (file) => {
    known.running -= 1;
    for (const { type } of await everything(app)) known.told.add(type);
    if (known.running > 0 || !hasPassed(file)) return;
    const missing = (EMITTED_IN[name] ?? []).filter((type) => !known.told.has(type));
    if (missing.length > 0) throw new Error(`Never told of: ${missing.join(', ')}`);
  };
}

/** All of its tests: a part of them emits only a part. */
const hasPassed = ({ tasks }: RunnerTestSuite): boolean =>
  tasks.every((task) => (task.type === 'suite' ? hasPassed(task) : task.result?.state === 'pass'));

/** The events so far of objects of a type, or of one of them, as readers get them. */
export async function emittedEvents(
  h: Harness,
  object: string,
  id?: string | number,
): Promise<Body[]> {
  const all = await everything(h.app);
  return all
    .filter(({ object_type }) => object_type === object)
    .filter(({ object_id }) => id === undefined || object_id === String(id))
    .map((event) => JSON.parse(envelopeOf(event, { live: false })));
}

/** The types of those events, in order. */
export const emittedTypes = async (h: Harness, object: string, id?: string | number) =>
  (await emittedEvents(h, object, id)).map(({ type }) => type as string);
