import type { Db } from '#kernel/db/db.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { NAMELESS, namesOf } from '#kernel/object-names/object-names.ts';
import { transact } from '#kernel/transact.ts';
import type { InvoiceRow } from '../store.ts';
import { emitLink, type NamedLink } from './shown.ts';
import { countLinkPaid, freePlace, linksToExpire, moveLink, type PaymentLink } from './store.ts';

type OfLink = Pick<InvoiceRow, 'link_id'>;

export async function withNames(db: Db, link: PaymentLink): Promise<NamedLink> {
  const names = await namesOf(db, 'payment_link', [link.object_id], 'operator');
  return { ...link, names: names.get(link.object_id) ?? NAMELESS };
}

/** An invoice of a link has been paid, in the transaction of that: the last one exhausts it. */
export async function linkPaid(tx: Db, { link_id }: OfLink): Promise<void> {
  if (link_id === null) return;
  const link = await countLinkPaid(tx, link_id);
  if (!link || link.paid !== link.max_payments) return;
  const move = { from: ['ACTIVE', 'PAUSED'] as const, to: 'EXHAUSTED' as const };
  const moved = await moveLink(tx, link, move);
  if (moved) emitLink(tx, 'exhausted', await withNames(tx, moved));
}

/** An invoice of a link has ended unpaid: another payer may have its place. */
export async function linkFreed(tx: Db, { link_id }: OfLink): Promise<void> {
  if (link_id !== null) await freePlace(tx, link_id);
}

const AT_ONCE = 200;

/** Ends links whose time is over. */
export const expireLinks = ({ db }: Pick<Kernel, 'db'>): Schedule =>
  defineSchedule({
    name: 'invoices.expire-links',
    cron: '* * * * *',
    async run({ signal }) {
      for (let ended = AT_ONCE; ended === AT_ONCE && !signal.aborted; )
        ended = await transact(db, async (tx) => {
          const links = await linksToExpire(tx, AT_ONCE);
          for (const link of links) {
            const from = ['ACTIVE', 'PAUSED'] as const;
            const moved = await moveLink(tx, link, { from, to: 'EXPIRED' });
            if (moved) emitLink(tx, 'expired', await withNames(tx, moved));
          }
          return links.length;
        });
    },
  });
