import { randomBytes } from 'node:crypto';
import type { ArchipayEvent } from '../../../sdk/src/types.generated.ts';
import { sign } from '../../../sdk/src/webhooks.ts';
import { type Command, EXIT, numberOf, UsageError } from '../command.ts';
import type { Output } from '../output.ts';
import type { Session } from '../session.ts';

const ANSWER_MS = 15_000;

export const listen: Command = {
  name: 'listen',
  summary: 'Brings events as signed webhooks to a port of this machine',
  usage: '--forward-to URL',
  options: {
    'forward-to': {
      type: 'string',
      value: 'URL',
      help: 'localhost:8080/hooks; shows them only, without',
    },
    types: { type: 'string', value: 'TYPES', help: 'payment.*,refund.succeeded; all without' },
    object: { type: 'string', value: 'TYPE:ID', help: 'of one thing only' },
    since: { type: 'string', value: 'N', help: 'events after that number, then new ones' },
    count: { type: 'string', value: 'N', help: 'ends after so many' },
    secret: {
      type: 'string',
      value: 'whsec_…',
      help: 'signs with it; one of the profile’s own, without',
    },
    'print-secret': { type: 'boolean', help: 'shows the secret, and ends' },
  },
  async run(session, given) {
    const { output } = session;
    const secret = given.text('secret') ?? (await secretOf(session));
    if (given.has('print-secret')) {
      output.line(secret);
      return EXIT.ok;
    }
    const target = targetOf(given.text('forward-to'));
    const most = numberOf(given, 'count') ?? Number.POSITIVE_INFINITY;
    const end = new AbortController();
    const signal = AbortSignal.any([session.signal, end.signal]);
    const after = numberOf(given, 'since');
    const types = given.text('types');
    const archipay = await session.person();
    const stream = archipay.events.stream(
      { ...(types !== undefined && { type: types }), ...(after !== undefined && { after }) },
      { signal, onReady: (number) => ready(output, { number, target, secret }) },
    );
    const lanes = new Lanes();
    let seen = 0;
    for await (const event of stream) {
      const object = `${event.object.type}:${event.object.id}`;
      if (given.text('object') !== undefined && given.text('object') !== object) continue;
      lanes.add(object, () => deliver(output, event, { target, secret }));
      seen += 1;
      if (seen >= most) break;
    }
    end.abort();
    await lanes.empty();
    return session.signal.aborted ? EXIT.interrupted : EXIT.ok;
  },
};

/** The profile's own, made at the first time: a receiver keeps its settings over many runs. */
async function secretOf(session: Session): Promise<string> {
  const name = await session.profileName();
  const kept = await session.profiles.credentials(name);
  if (kept.webhookSecret !== undefined) return kept.webhookSecret;
  const webhookSecret = `whsec_${randomBytes(32).toString('base64')}`;
  await session.profiles.keep(name, { ...kept, webhookSecret });
  return webhookSecret;
}

export function targetOf(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  const whole = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (/^\w+:\/\//.test(text) && whole !== text) throw new UsageError('Only http and https');
  if (!URL.canParse(whole)) throw new UsageError(`${text} is no address`);
  return new URL(whole);
}

interface Delivering {
  readonly target: URL | undefined;
  readonly secret: string;
}

function ready(output: Output, { number, target, secret }: Delivering & { number: number }): void {
  if (output.json) {
    output.line(JSON.stringify({ ready: true, after: number, secret }));
    return;
  }
  output.note(`Connected: events after ${number}${target ? ` go to ${target}` : ''}`);
  if (target) output.note(`Signing secret: ${secret}`);
}

/** Sends an event as the service would, and shows what was answered. */
export async function deliver(
  output: Output,
  event: Pick<ArchipayEvent, 'id' | 'type'>,
  { target, secret }: Delivering,
): Promise<number> {
  if (!target) {
    output.table([event], shownOf);
    return 0;
  }
  const body = JSON.stringify(event);
  const began = performance.now();
  const headers = { ...(await sign(body, secret, { id: event.id })), 'webhook-attempt': '1' };
  const answer = await fetch(target, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).then(
    async (reply) => {
      await reply.arrayBuffer();
      return reply.status;
    },
    (error) => String(error.cause?.code ?? error.name),
  );
  const ms = Math.round(performance.now() - began);
  const isGood = typeof answer === 'number' && answer >= 200 && answer < 300;
  if (output.json) output.line(JSON.stringify({ event, answer, ms }));
  else {
    const shown = output.paint(isGood ? 'green' : 'red', `[${answer}]`);
    output.line(`→ ${event.type} ${event.id} ${shown} ${ms} ms`);
  }
  return typeof answer === 'number' ? answer : 0;
}

const shownOf = (event: object) => {
  const { id, type, timestamp, object } = event as ArchipayEvent;
  return { time: timestamp, type, id, object: `${object.type}:${object.id}` };
};

/** Work in order for each object, and side by side for different ones. */
class Lanes {
  readonly #last = new Map<string, Promise<unknown>>();

  add(lane: string, work: () => Promise<unknown>): void {
    const done = (this.#last.get(lane) ?? Promise.resolve()).then(work, work);
    this.#last.set(lane, done);
    void done.finally(() => {
      if (this.#last.get(lane) === done) this.#last.delete(lane);
    });
  }

  async empty(): Promise<void> {
    await Promise.allSettled(this.#last.values());
  }
}
