import { Value } from 'typebox/value';
import { catalogueOf } from '#kernel/events/catalogue.ts';
import { envelopeOf } from '#kernel/events/envelope.ts';
import { type LoggedEvent, readLog } from '#kernel/events/event-log.ts';
import type { App } from '#src/app/app.ts';
import type { Body, Harness } from './harness.ts';

const DATA_MAX = 64 * 1024;

/** Everything that was told so far, in its order, each checked against the catalogue. */
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

/** Fails where something was told that the catalogue does not have, or otherwise than it says. */
export const checkTold = async (app: App): Promise<void> => void (await everything(app));

/** What was told so far of objects of a type, or of one of them, as it is read. */
export async function toldOf(h: Harness, object: string, id?: string | number): Promise<Body[]> {
  const all = await everything(h.app);
  return all
    .filter(({ object_type }) => object_type === object)
    .filter(({ object_id }) => id === undefined || object_id === String(id))
    .map((event) => JSON.parse(envelopeOf(event, { live: false })));
}

/** The types of what was told so, in its order. */
export const typesTold = async (h: Harness, object: string, id?: string | number) =>
  (await toldOf(h, object, id)).map(({ type }) => type as string);
