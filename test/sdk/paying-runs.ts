import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { type Random, randomOf } from '#test/random.ts';
import { banking } from '../banking.ts';
import { type CallerOrders, type CallerStep, PLACES, type Place } from '../caller-orders.ts';
import { EXPIRY, GOOD } from '../cards.ts';
import { scriptOf } from '../child.ts';
import type { Harness } from '../harness.ts';
import {
  type CallerPlan,
  LOSSES,
  type LosingProxy,
  type Loss,
  MOMENTS,
  type Moment,
} from '../losing-proxy.ts';
import { withdrawer } from '../withdrawals.ts';

/** Where a caller dies. */
export const DEATHS = [...PLACES, ...MOMENTS];
export type Death = (typeof DEATHS)[number];

/** What each operation takes out of what the caller can spend; no sum of a few is another sum of a few. */
const KINDS = ['topUp', 'send', 'withdraw', 'hold', 'tooMuch'] as const;
type Kind = (typeof KINDS)[number];

/** A person with money, whom they may pay, and a bank account. */
export async function payer(h: Harness, client_id: number) {
  const person = await h.user({ client_id });
  const own = await withdrawer(h, 'USD', 200_00n, person);
  const other = await banking(h).holder(client_id);
  const card = { expiry_date: EXPIRY, currency_code: 'USD' };
  const calls: Record<Kind, Pick<CallerStep, 'operation' | 'params'>> = {
    topUp: {
      operation: ['cards', 'topUp', '/card-checkout/card'],
      params: { ...card, card_number: GOOD, amount: '10.00' },
    },
    send: {
      operation: ['walletTransfers', 'send', '/wallets/fiat/transfers'],
      params: { from_wallet_id: own.wallet_id, to: { wallet_id: other.wallet_id }, amount: '1.01' },
    },
    tooMuch: {
      operation: ['walletTransfers', 'send', '/wallets/fiat/transfers'],
      params: { from_wallet_id: own.wallet_id, to: { wallet_id: other.wallet_id }, amount: '250' },
    },
    withdraw: {
      operation: ['withdrawals', 'create', '/wallets/fiat/{wallet_id}/withdrawals'],
      params: { wallet_id: own.wallet_id, recipient_id: own.recipient_id, amount: '20.13' },
    },
    hold: {
      operation: ['walletHolds', 'place', '/wallets/fiat/{wallet_id}/holds'],
      params: { wallet_id: own.wallet_id, to: { wallet_id: other.wallet_id }, amount: '3.07' },
    },
  };
  return {
    person,
    step: (kind: Kind, key: string): CallerStep => ({
      key,
      operation: calls[kind].operation,
      params: { ...calls[kind].params, metadata: { order: key } },
    }),
    async available(): Promise<bigint> {
      const { balance, held } = await own.balance();
      const cents = (text: string) => BigInt(text.replace('.', ''));
      return cents(balance) - cents(held);
    },
  };
}
export type Payer = Awaited<ReturnType<typeof payer>>;

/** A run of a caller: what it has to do, and where it dies. */
export interface PayingRun {
  readonly name: string;
  readonly kinds: readonly Kind[];
  readonly steps: readonly CallerStep[];
  readonly deaths: readonly (readonly [Death, number])[];
  readonly random: Random;
}

/** A place that is passed only after a death, or after a loss, comes as the second one. */
const LATER: readonly Death[] = ['stale', 'resolved'];
const FORCED: Readonly<Partial<Record<Death, Loss>>> = { failed: 'answer', repeat: 'busy' };
const BEFORE = ['kept', 'sent', 'forwarded', 'answered', 'close'] as const satisfies Death[];

export function planRun(death: Death, seed: number, { step }: Payer): PayingRun {
  const random = randomOf(seed, death);
  const name = `${death}-${seed}`;
  const kinds: Kind[] = Array.from({ length: random.int(3, 5) }, () => random.pick(KINDS));
  // The first is stored with its values, or without them: the next start recovers it, or leaves it to its owner.
  if (death === 'resolved') kinds[0] = 'send';
  if (death === 'stale') kinds[0] = 'topUp';
  const isLater = LATER.includes(death);
  const first: readonly [Death, number] = isLater ? [random.pick(BEFORE), 1] : [death, 1];
  const more: readonly [Death, number] = isLater
    ? [death, 1]
    : [random.pick(DEATHS), random.int(1, 3)];
  const steps = kinds.map((kind, nth) => step(kind, `${name}-${nth}`));
  return { name, kinds, steps, deaths: [first, more], random };
}

interface Stage {
  readonly h: Harness;
  readonly proxy: LosingProxy;
  readonly folder: string;
  /** Kills the service once, in the middle of a request. */
  readonly strike?: () => void;
}

/** Starts the caller until it ends by itself; answers its book, and where it died. */
export async function play(
  { h, proxy, folder, strike }: Stage,
  { person }: Payer,
  { name, steps, deaths, random }: PayingRun,
  isPlain = false,
) {
  const died: Death[] = [];
  let blow = strike;
  for (let nth = 0; ; nth += 1) {
    const end = deaths[nth];
    let [moments, losses] = [0, 3];
    // All three tries of a call have to fail before the program hears of it.
    const forced = end && FORCED[end[0]];
    const watched = MOMENTS.find((moment) => moment === end?.[0]);
    let kill: () => unknown = () => undefined;
    const plan: CallerPlan = {
      loss: () => {
        const isLost = losses > 0 && (forced !== undefined || random.chance(0.3));
        if (isLost) losses -= 1;
        return isLost ? (forced ?? random.pick(LOSSES)) : undefined;
      },
      at: (moment: Moment) => {
        if (moment === 'forwarded') blow = void blow?.();
        if (moment !== watched) return;
        moments += 1;
        if (moments === end?.[1]) kill();
      },
    };
    const orders: CallerOrders = {
      baseUrl: proxy.addressOf(`${name}${isPlain ? '-plain' : ''}`, plan),
      apiKey: h.key,
      token: person.token,
      file: join(folder, `${name}${isPlain ? '-plain' : ''}.jsonl`),
      isPlain,
      steps,
      ...(end && { end }),
    };
    const child = spawn(
      process.execPath,
      [await scriptOf('caller-child.ts'), JSON.stringify(orders)],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    kill = () => child.kill('SIGKILL');
    let [said, wrong] = ['', ''];
    child.stdout.on('data', (part: Buffer) => (said += part));
    child.stderr.on('data', (part: Buffer) => (wrong += part));
    const [code, signal] = await once(child, 'close');
    if (code === 0) return { book: JSON.parse(said) as Record<string, string>, died };
    expect([signal, wrong], name).toEqual(['SIGKILL', '']);
    died.push(end?.[0] as Place);
  }
}

/** How often the service has each of these orders. */
export async function countsOf(h: Harness, steps: readonly CallerStep[]): Promise<number[]> {
  const rows = await run<{ key: string; count: number }>(
    h.db,
    `select metadata ->> 'order' as key, count(*)::int as count from caller_names
     where metadata ->> 'order' = any($1::text[]) group by 1`,
    [steps.map(({ key }) => key)],
  );
  const counts = new Map(rows.map(({ key, count }) => [key, count]));
  return steps.map(({ key }) => counts.get(key) ?? 0);
}
