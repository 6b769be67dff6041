import { ANSWER_MS, type Answer, type Delivery, type Receiver } from './receiver.ts';

/** Something that happens to receivers in real life. */
export interface Trial {
  readonly name: string;
  /** What a right receiver does. */
  readonly expected: string;
  /** A receiver that fails it is open to strangers, or does things twice. */
  readonly isFatal?: true;
  /** What went wrong. */
  run(receiver: Receiver): Promise<string | undefined>;
}

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const SLOW_MS = 5000;
const isGood = ({ status }: Answer): boolean => status >= 200 && status < 300;
const said = ({ status }: Answer): string => (status === 0 ? 'no answer' : String(status));

/** It takes these; the fault names the first that it does not take. */
async function taken(receiver: Receiver, ...deliveries: Delivery[]): Promise<string | undefined> {
  for (const [nth, delivery] of deliveries.entries()) {
    const answer = await receiver.send(delivery);
    if (!isGood(answer)) return `delivery ${nth + 1} was answered ${said(answer)}, not 2xx`;
  }
  return undefined;
}

/** It refuses this, and does nothing. */
async function refused(receiver: Receiver, delivery: Delivery): Promise<string | undefined> {
  const answer = await receiver.send(delivery);
  if (isGood(answer)) return `it was answered ${said(answer)}: it must be refused`;
  if (answer.status === 0) return 'there was no answer';
  return acted(receiver, delivery.event, 0);
}

async function acted(receiver: Receiver, event: object | undefined, wanted: number) {
  const count = await receiver.count((event as { id: string }).id);
  if (count === undefined || count === wanted) return undefined;
  return `it acted ${count} times, not ${wanted}`;
}

const object = (version: number) => ({ type: 'payment', id: '812', version });

const SIGNATURES: readonly Trial[] = [
  {
    name: 'bad signature',
    expected: 'refuses a signature of another secret',
    isFatal: true,
    run: (r) => refused(r, { event: r.event(), secret: OTHER_SECRET }),
  },
  {
    name: 'altered body',
    expected: 'refuses a body that was changed after it was signed',
    isFatal: true,
    async run(r) {
      const event = r.event();
      const good = JSON.stringify(event);
      let signed: Record<string, string> = {};
      const first = await r.send({
        body: good,
        id: event.id,
        secret: OTHER_SECRET,
        headers: (headers) => {
          signed = headers;
          return headers;
        },
      });
      if (isGood(first)) return 'it takes any signature';
      const at = new Date(Number(signed['webhook-timestamp']) * 1000);
      const { sign } = await import('../../../sdk/src/webhooks.ts');
      const right = await sign(good, r.secret, { id: event.id, at });
      return refused(r, { event, body: `${good} `, id: event.id, headers: () => right });
    },
  },
  {
    name: 'no signature',
    expected: 'refuses a delivery without the headers of a signature',
    isFatal: true,
    run: (r) =>
      refused(r, { event: r.event(), headers: () => ({ 'content-type': 'application/json' }) }),
  },
  {
    name: 'empty signature',
    expected: 'refuses an empty signature',
    isFatal: true,
    run: (r) =>
      refused(r, { event: r.event(), headers: (one) => ({ ...one, 'webhook-signature': 'v1,' }) }),
  },
  {
    name: 'another id',
    expected: 'refuses a good signature under another webhook-id',
    isFatal: true,
    run: (r) =>
      refused(r, { event: r.event(), headers: (one) => ({ ...one, 'webhook-id': 'evt_other' }) }),
  },
  {
    name: 'old timestamp',
    expected: 'refuses a delivery that was signed ten minutes ago',
    isFatal: true,
    run: (r) => refused(r, { event: r.event(), at: new Date(Date.now() - 600_000) }),
  },
  {
    name: 'future timestamp',
    expected: 'refuses a delivery that is signed for ten minutes from now',
    run: (r) => refused(r, { event: r.event(), at: new Date(Date.now() + 600_000) }),
  },
  {
    name: 'two secrets',
    expected: 'takes a delivery with two signatures, of which one is right',
    run: (r) =>
      taken(r, {
        event: r.event(),
        headers: (one) => ({
          ...one,
          'webhook-signature': `v1,${'A'.repeat(43)}= ${one['webhook-signature']}`,
        }),
      }),
  },
  {
    name: 'later version of signatures',
    expected: 'ignores signatures of versions that it does not know',
    run: (r) =>
      taken(r, {
        event: r.event(),
        headers: (one) => ({
          ...one,
          'webhook-signature': `v2,AAAA ${one['webhook-signature']}`,
        }),
      }),
  },
];

const REPETITIONS: readonly Trial[] = [
  {
    name: 'duplicate',
    expected: 'takes the same event twice, and acts once',
    isFatal: true,
    async run(r) {
      const event = r.event();
      return (await taken(r, { event }, { event, attempt: 2 })) ?? acted(r, event, 1);
    },
  },
  {
    name: 'duplicate at the same moment',
    expected: 'takes the same event ten times at once, and acts once',
    isFatal: true,
    async run(r) {
      const event = r.event();
      const answers = await Promise.all(Array.from({ length: 10 }, () => r.send({ event })));
      // 409 and 5xx are sent again, so they lose nothing.
      if (!answers.some(isGood)) return 'none of ten was taken';
      return acted(r, event, 1);
    },
  },
  {
    name: 'retry',
    expected: 'takes the third try of an event that it has not seen',
    run: (r) => taken(r, { event: r.event(), attempt: 3 }),
  },
  {
    name: 'duplicate a day later',
    expected: 'knows an event again that was sent a day ago, signed once more',
    async run(r) {
      const timestamp = new Date(Date.now() - 86_400_000).toISOString();
      const event = r.event('payment.succeeded', { timestamp });
      return (await taken(r, { event }, { event, attempt: 9 })) ?? acted(r, event, 1);
    },
  },
];

const ORDER: readonly Trial[] = [
  {
    name: 'out of order',
    expected: 'takes a refund before the payment that it is of',
    run: (r) =>
      taken(
        r,
        { event: r.event('payment.refunded', { object: object(2) }) },
        { event: r.event('payment.succeeded', { object: object(1) }) },
      ),
  },
  {
    name: 'older version after a newer one',
    expected: 'takes an event whose object has a smaller version than the last',
    run: (r) =>
      taken(
        r,
        { event: r.event('payment.updated', { object: object(9) }) },
        { event: r.event('payment.updated', { object: object(4) }) },
      ),
  },
  {
    name: 'late by a day',
    expected: 'takes an event of yesterday that is signed now',
    run: (r) => {
      const timestamp = new Date(Date.now() - 86_400_000).toISOString();
      return taken(r, { event: r.event('payment.succeeded', { timestamp }) });
    },
  },
];

const SHAPES: readonly Trial[] = [
  {
    name: 'unknown type',
    expected: 'takes an event of a type that did not exist when it was written',
    run: (r) => taken(r, { event: r.event('starship.launched', { data: {} }) }),
  },
  {
    name: 'unknown fields',
    expected: 'ignores fields that it does not know',
    run: (r) => {
      const event = r.event();
      return taken(r, { event: { ...event, added: { later: [1, 2] } } });
    },
  },
  {
    name: 'thin payload',
    expected: 'takes an event that names its object and has no data',
    run: (r) => {
      const { data: _, ...event } = r.event();
      return taken(r, { event });
    },
  },
  {
    name: 'big body',
    expected: 'takes a body of 64 KiB',
    run: (r) => taken(r, { event: r.event('payment.updated', { padding: 'x'.repeat(64_000) }) }),
  },
  {
    name: 'bytes as they came',
    expected: 'verifies the bytes and not the JSON that it makes of them',
    run: (r) => {
      const event = r.event();
      const body = JSON.stringify(event, undefined, 3).replace('"type"', '"\\u0074ype"');
      return taken(r, { body, id: event.id });
    },
  },
  {
    name: 'letters of all languages',
    expected: 'verifies a body with letters beyond ASCII',
    run: (r) => taken(r, { event: r.event('payment.updated', { note: 'Nguyễn Văn Đức ₫ 🧾' }) }),
  },
];

const LOAD: readonly Trial[] = [
  {
    name: 'answer in time',
    expected: `answers within ${SLOW_MS / 1000} s, and works afterwards`,
    async run(r) {
      const answer = await r.send({ event: r.event() });
      if (!isGood(answer)) return `it was answered ${said(answer)}`;
      return answer.ms > SLOW_MS ? `the answer took ${answer.ms} ms` : undefined;
    },
  },
  {
    name: 'fifty at once',
    expected: `answers fifty events at once, each within ${ANSWER_MS / 1000} s`,
    async run(r) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => r.send({ event: r.event() })),
      );
      const lost = answers.filter((answer) => !isGood(answer));
      return lost.length > 0 ? `${lost.length} of 50 were not taken` : undefined;
    },
  },
];

/** All of them, in the order in which they run. */
export const TRIALS: readonly Trial[] = [
  {
    name: 'plain delivery',
    expected: 'takes a signed event, and acts once',
    async run(r) {
      const event = r.event();
      return (await taken(r, { event })) ?? acted(r, event, 1);
    },
  },
  ...SIGNATURES,
  ...REPETITIONS,
  ...ORDER,
  ...SHAPES,
  ...LOAD,
];
