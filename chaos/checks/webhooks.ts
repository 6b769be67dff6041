import { Webhook } from 'standardwebhooks';
import { run } from '#kernel/db/db.ts';
import { eventIdOf } from '#kernel/events/event-id.ts';
import type { Finding } from './findings.ts';
import { match } from './match.ts';
import type { World } from './world.ts';

interface LoggedRow {
  readonly id: string;
  readonly type: string;
  readonly object: string;
}
interface Arrival {
  readonly id: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface WebhooksSeen {
  /** The events since the endpoint's creation, that included, in order. */
  readonly events: readonly LoggedRow[];
  /** The receiver's deliveries, in order. */
  readonly arrivals: readonly Arrival[];
  readonly secret: string;
}

/** From the endpoint's own creation up to its place: events during this reading are still in flight. */
export async function readWebhooks({ db, hook }: World): Promise<WebhooksSeen> {
  const { endpoint_id, box, secret } = hook;
  const events = await run<LoggedRow>(
    db,
    `select l.event_id as id, l.type, l.object_type || ' ' || l.object_id as object
     from events.log l join webhooks.endpoints e using (client_id)
     where e.endpoint_id = $1 and l.position <= e.place and l.position >= (
       select position from events.log where type = 'webhook_endpoint.created' and object_id = $1::text)
     order by l.position`,
    [endpoint_id],
  );
  const arrivals = await run<Arrival>(
    db,
    `select data ->> 'id' as id, data ->> 'body' as body, data -> 'headers' as headers
     from sandbox.records where provider = 'receiver' and kind = 'arrival' and data ->> 'box' = $1
     order by seq`,
    [box],
  );
  return { events: events.map((one) => ({ ...one, id: eventIdOf(one.id) })), arrivals, secret };
}

/** Every event has arrived at least once, signed, and the first deliveries of each object in the order of events. */
export function checkWebhooks({ events, arrivals, secret }: WebhooksSeen): Finding[] {
  const came = new Set(arrivals.map(({ id }) => id));
  const places = new Map(events.map(({ id, object }, place) => [id, { object, place }]));
  const expected = events.map(({ id, type }) => ({ key: '', name: `${type} ${id}` }));
  const seen = events.filter(({ id }) => came.has(id)).map(({ id, type }) => `${type} ${id}`);
  const signer = new Webhook(secret);
  const unsigned = arrivals.filter((arrival) => !isSigned(signer, arrival));
  return [
    ...match('webhooks', expected, seen),
    ...outOfOrder([...came].flatMap((id) => places.get(id) ?? [])),
    ...unsigned.map(({ id }): Finding => {
      return { kind: 'wrong', where: 'webhooks', what: `${id} came without its signature` };
    }),
  ];
}

/** By the specification's library, which would otherwise use the machine's time only. */
function isSigned(signer: Webhook, { headers, body }: Arrival): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  const right = signer.sign(headers['webhook-id'] ?? '', at, body);
  return (headers['webhook-signature'] ?? '').split(' ').includes(right);
}

function outOfOrder(firsts: readonly { readonly object: string; readonly place: number }[]) {
  const last = new Map<string, number>();
  return firsts.flatMap(({ object, place }): Finding[] => {
    const before = last.get(object) ?? -1;
    last.set(object, Math.max(before, place));
    if (before < place) return [];
    return [{ kind: 'wrong', where: 'webhooks', what: `of ${object} a later event came first` }];
  });
}
