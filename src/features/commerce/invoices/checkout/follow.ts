import type { Db } from '#kernel/db/db.ts';
import { logBounds } from '#kernel/events/event-log.ts';
import { Stream } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { realTimers } from '#kernel/timers.ts';
import type { MerchantInvoice } from '../store.ts';

/** What may change what a page shows. */
const TYPES = [
  ...['paid', 'partially_paid', 'expired', 'cancelled'].map((verb) => `invoice.${verb}`),
  ...['pending', 'succeeded', 'failed', 'cancelled'].map((verb) => `payment.${verb}`),
];
const HEARTBEAT_MS = 15_000;
const LIFE_MS = 15 * 60_000;
const WAITING_MAX = 4096;

/**
 * Says whenever something has changed for an invoice, and nothing of it: the page asks for that. A payer needs no
 * log-in, so that the places are those of their network; without one a page asks every few seconds.
 */
export async function followInvoice(
  { events, shares }: Pick<Kernel, 'events' | 'shares'>,
  db: Db,
  { client_id, user_id, object_id }: MerchantInvoice,
  ip: string,
): Promise<Stream> {
  const { head: after } = await logBounds(db);
  const release = await shares.enter('streams', { requester: { ip } });
  return new Stream((out) => {
    out.write('retry: 3000\n\n');
    const leave = events.follow({
      client_id,
      user_id,
      types: TYPES,
      after,
      tell({ data }) {
        if (!data.includes(`"${object_id}"`)) return;
        out.write('event: state\ndata: {}\n\n');
        if (out.waiting > WAITING_MAX) out.drop();
      },
      room: async () => undefined,
      end: () => out.end(),
    });
    const stopBeating = realTimers.every(HEARTBEAT_MS, () => out.write(':\n\n'));
    const spare = realTimers.after(LIFE_MS, () => out.end());
    out.onEnd(() => {
      release();
      leave();
      stopBeating();
      spare();
    });
  });
}
