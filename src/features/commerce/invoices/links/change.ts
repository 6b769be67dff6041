import type { IncomingHttpHeaders } from 'node:http';
import { type Static, Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { wrongField } from '#kernel/error.ts';
import { requireVersion, versionMeant } from '#kernel/http/declare/if-match.ts';
import {
  explained,
  integerInput,
  MomentInput,
  Nullable,
  nameInput,
  oneOfWords,
} from '#kernel/http/declare/schema.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { OfferedMethods, outsideUrl } from '../input.ts';
import { withNames } from './follow.ts';
import { emitLink, type NamedLink } from './shown.ts';
import { type LinkStatus, moveLink, type PaymentLink } from './store.ts';

/** In which it can be changed. */
const CHANGEABLE = ['ACTIVE', 'PAUSED'] as const satisfies LinkStatus[];

export const LinkChanges = Type.Object({
  status: Type.Optional(oneOfWords(CHANGEABLE)),
  title: Type.Optional(nameInput(100)),
  max_payments: Type.Optional(explained(Nullable(integerInput(1, ID_MAX)), 'Null for any number')),
  expires_at: Type.Optional(explained(Nullable(MomentInput), 'Null for ever')),
  methods: Type.Optional(explained(Nullable(OfferedMethods), 'Null for all')),
  return_url: Type.Optional(Nullable(outsideUrl('Where the page leads the payer afterwards'))),
  version: Type.Optional(integerInput(1, ID_MAX)),
});
type LinkChanges = Static<typeof LinkChanges>;

interface Change {
  readonly body: LinkChanges;
  readonly headers: IncomingHttpHeaders;
}

/** Changes a link that is locked. Invoices of it that are open stay as they were asked for. */
export async function changeLink(
  { clock }: Pick<Kernel, 'clock'>,
  tx: Db,
  link: PaymentLink,
  { body, headers }: Change,
): Promise<NamedLink> {
  const { version: _, status = link.status, ...fields } = body;
  const now = clock.now().toISOString();
  const isOver = link.expires_at !== null && link.expires_at <= now;
  if (isOver || !(CHANGEABLE as readonly string[]).includes(link.status))
    throw notAllowedIn(isOver ? 'EXPIRED' : link.status, CHANGEABLE);
  requireVersion(link.version, versionMeant(body, headers));
  requireFitting(link, fields, now);
  const isSame = status === link.status && Object.keys(fields).length === 0;
  if (isSame) return withNames(tx, link);
  const isFull = fields.max_payments !== undefined && fields.max_payments === link.paid;
  const to = isFull ? 'EXHAUSTED' : status;
  const row = await moveLink(tx, link, { from: [link.status], to }, fields);
  if (!row) throw new Error(`Link ${link.object_id} is locked`);
  const changed = await withNames(tx, row);
  emitLink(tx, isFull ? 'exhausted' : 'changed', changed);
  return changed;
}

function requireFitting(
  { usage, taken }: PaymentLink,
  { max_payments, expires_at }: LinkChanges,
  now: string,
): void {
  if (usage === 'once' && max_payments !== undefined && max_payments !== 1)
    throw wrongField('max_payments', 'must be 1 where the link is used once');
  if (typeof max_payments === 'number' && max_payments < taken)
    throw wrongField('max_payments', `must not be less than ${taken}, which are open or paid`);
  if (typeof expires_at === 'string' && expires_at <= now)
    throw wrongField('expires_at', 'must lie ahead');
}
