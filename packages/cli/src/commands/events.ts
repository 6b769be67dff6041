import type { Archipay } from '../../../sdk/src/archipay.ts';
import type { ArchipayEvent } from '../../../sdk/src/types.generated.ts';
import { type Command, EXIT, type Given, numberOf, UsageError, wordAt } from '../command.ts';
import type { Session } from '../session.ts';
import { deliver, listen, targetOf } from './listen.ts';

const LIMIT = 20;

export const events: Command = {
  name: 'events',
  summary: 'Lists, shows, sends again and follows events',
  usage: 'list | get ID | resend ID | tail | types',
  options: {
    type: { type: 'string', value: 'TYPES', help: 'payment.*,refund.succeeded' },
    object: { type: 'string', value: 'TYPE:ID', help: 'of one thing only' },
    limit: { type: 'string', value: 'N', help: `how many; ${LIMIT} without` },
    endpoint: { type: 'string', value: 'ID', help: 'of resend: to one endpoint only' },
    'forward-to': {
      type: 'string',
      value: 'URL',
      help: 'of resend: to a port of this machine instead',
    },
  },
  complete: (words) => (words.length <= 1 ? ['list', 'get', 'resend', 'tail', 'types'] : []),
  async run(session, given) {
    const archipay = await session.person();
    switch (given.words[0]) {
      case 'list':
        return list(session, given, archipay);
      case 'get':
        return show(session, await find(archipay, wordAt(given, 1, 'ID')));
      case 'resend':
        return resend(session, given, archipay);
      case 'tail':
        return tail(session, given);
      case 'types':
        return types(session, archipay);
      default:
        throw new UsageError('archipay events list, get, resend, tail or types');
    }
  },
};

async function list({ output }: Session, given: Given, archipay: Archipay): Promise<number> {
  const type = given.text('type');
  const object = given.text('object');
  const rows = await archipay.events
    .list({ ...(type !== undefined && { type }), ...(object !== undefined && { object }) })
    .toArray({ limit: numberOf(given, 'limit') ?? LIMIT });
  output.table(rows, (event) => ({
    time: event.timestamp,
    type: event.type,
    id: event.id,
    object: `${event.object.type}:${event.object.id}`,
  }));
  return EXIT.ok;
}

const find = async (archipay: Archipay, event_id: string) =>
  (await archipay.events.get({ event_id })).data as ArchipayEvent;

function show({ output }: Session, event: object): number {
  output.thing(event);
  return EXIT.ok;
}

async function resend(session: Session, given: Given, archipay: Archipay): Promise<number> {
  const event_id = wordAt(given, 1, 'ID');
  const target = targetOf(given.text('forward-to'));
  if (target) {
    const event = await find(archipay, event_id);
    const { webhookSecret = '' } = await session.standing();
    if (webhookSecret === '') throw new UsageError('archipay listen --print-secret makes a secret');
    const status = await deliver(session.output, event, { target, secret: webhookSecret });
    return status >= 200 && status < 300 ? EXIT.ok : EXIT.failed;
  }
  const endpoint_id = given.text('endpoint');
  const { data } = await archipay.events.resend({
    event_id,
    ...(endpoint_id !== undefined && { endpoint_id }),
  });
  session.output.thing(data, { event: data.event_id, endpoints: data.endpoints.join(' ') });
  return EXIT.ok;
}

function tail(session: Session, given: Given): Promise<number | undefined> {
  const names: Readonly<Record<string, string>> = { types: 'type', count: 'limit' };
  const text = (option: string) =>
    option === 'forward-to' ? undefined : given.text(names[option] ?? option);
  return listen.run(session, { ...given, text });
}

async function types({ output }: Session, archipay: Archipay): Promise<number> {
  const { data } = await archipay.events.listTypes();
  output.table(data.event_types, ({ type, summary }) => ({ type, summary }));
  return EXIT.ok;
}
