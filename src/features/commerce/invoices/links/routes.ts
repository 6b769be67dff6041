import { type Static, Type } from 'typebox';
import { FIAT, openWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { cursorPage, cursorReader, moneyListQuery } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, Paged, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import {
  explained,
  integerInput,
  MomentInput,
  nameInput,
  oneOfWords,
  stamped,
} from '#kernel/http/declare/schema.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import { MoneyInput, moneyOf } from '#kernel/money/amount-fields.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { metadataRoute } from '#kernel/object-names/metadata-route.ts';
import { NAMELESS, namesGiven, namesOf, namesReaderOf } from '#kernel/object-names/object-names.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import { keyOfLink, linkPath } from '../checkout/keys.ts';
import type { CheckoutDeps } from '../checkout/routes.ts';
import { OfferedMethods, outsideUrl } from '../input.ts';
import { changeLink, LinkChanges } from './change.ts';
import { withNames } from './follow.ts';
import { emitLink, type NamedLink, ShownLink, shownPaymentLink } from './shown.ts';
import {
  findPaymentLink,
  insertPaymentLink,
  LINK_STATUSES,
  LINK_USAGES,
  linkOfOperation,
  lockLink,
  pageOfLinks,
} from './store.ts';

const endpoint = endpoints(codedEnvelope);
const LinkWithUrl = named('PaymentLink', {
  ...ShownLink.properties,
  url: explained(Type.String(), 'Where people pay; the address is all they need'),
});
const One = stamped({ data: LinkWithUrl });
const ByLink = Type.Object({ link_id: objectIdInput('lnk') });

const PaymentLinkInput = Type.Object({
  title: nameInput(100),
  currency: oneOfWords(FIAT),
  amount: Type.Optional(explained(MoneyInput, 'Fixed; else `min` and `max`')),
  min: Type.Optional(explained(MoneyInput, 'The least that a payer may name')),
  max: Type.Optional(explained(MoneyInput, 'The most that a payer may name')),
  usage: oneOfWords(LINK_USAGES),
  max_payments: Type.Optional(
    explained(integerInput(1, ID_MAX), 'How many invoices of it may be paid; any number without'),
  ),
  expires_at: Type.Optional(MomentInput),
  methods: Type.Optional(OfferedMethods),
  return_url: Type.Optional(outsideUrl('Where the page leads the payer afterwards')),
});
type PaymentLinkInput = Static<typeof PaymentLinkInput>;

/** Addresses by which people make invoices for themselves. */
export const paymentLinkRoutes = (deps: CheckoutDeps): Route[] => [
  createRoute(deps),
  listRoute(deps),
  readRoute(deps),
  changeRoute(deps),
  setMetadata(deps),
];

const shown = (deps: CheckoutDeps, link: NamedLink) => ({
  ...shownPaymentLink(link),
  url: `${deps.publicUrl()}${linkPath(keyOfLink(deps, link.link_id))}`,
});

const createRoute = (deps: CheckoutDeps): Route =>
  endpoint('POST /payment-gateway/links', {
    name: 'paymentLinks.create',
    auth: 'user',
    console: 'proof',
    movesMoney: true,
    creates: 'payment_link',
    errors: ['CONFLICT'],
    summary: 'Makes an address by which people pay into one’s own wallet',
    body: PaymentLinkInput,
    example: { title: 'Lamp workshop', currency: 'IDR', amount: '150000', usage: 'many' },
    reply: { 201: One },
    atomic: true,
    fault: 'Failed to make the link',
    async handler({ caller, body, operation, db }) {
      const known = await linkOfOperation(db, operation);
      if (known) return at(201, { data: shown(deps, await withNames(db, known)) });
      return at(201, {
        data: shown(deps, await createLink(deps, db, { caller, body, operation })),
      });
    },
  });

interface Asked {
  readonly caller: UserCaller;
  readonly body: PaymentLinkInput;
  readonly operation: string;
}

async function createLink(
  deps: CheckoutDeps,
  tx: Db,
  { caller, body, operation }: Asked,
): Promise<NamedLink> {
  const { client_id, user_id } = caller;
  const { title, currency, usage, methods = null, return_url = null, expires_at = null } = body;
  if (expires_at !== null && expires_at <= deps.clock.now().toISOString())
    throw wrongField('expires_at', 'must lie ahead');
  if (usage === 'once' && (body.max_payments ?? 1) !== 1)
    throw wrongField('max_payments', 'must be 1 where the link is used once');
  const link_id = newObjectUuid(deps.clock.ms());
  const { wallet } = await openWallet(tx, user_id, currency);
  const row = await insertPaymentLink(tx, {
    ...amountsOf(body),
    link_id,
    object_id: objectId('lnk', link_id),
    operation,
    client_id,
    user_id,
    wallet_id: wallet.wallet_id,
    key_digest: digestOf(keyOfLink(deps, link_id)),
    title,
    currency,
    usage,
    max_payments: usage === 'once' ? 1 : (body.max_payments ?? null),
    expires_at,
    methods,
    return_url,
  });
  if (!row) throw fail('CONFLICT', 'The request is under way');
  const link = { ...row, names: namesGiven('payment_link') };
  emitLink(tx, 'created', link);
  return link;
}

/** Throws VALIDATION_ERROR where the amount is neither fixed nor between two. */
function amountsOf({ amount, min, max, currency }: PaymentLinkInput) {
  const isFixed = amount !== undefined;
  if (isFixed ? min !== undefined || max !== undefined : min === undefined || max === undefined)
    throw wrongField('amount', 'must be named, or else both min and max');
  if (isFixed) return { amount: moneyOf({ amount, currency }).units, least: null, most: null };
  const least = moneyOf({ amount: min ?? '', currency }, 'min').units;
  const most = moneyOf({ amount: max ?? '', currency }, 'max').units;
  if (most < least) throw wrongField('max', 'must not be less than min');
  return { amount: null, least, most };
}

const listRoute = (deps: CheckoutDeps): Route =>
  endpoint('GET /payment-gateway/links', {
    name: 'paymentLinks.list',
    auth: 'user',
    console: true,
    csv: 'data.items',
    errors: ['INVALID_PAGINATION'],
    summary: 'Lists links, newest first',
    query: Type.Object(moneyListQuery(LINK_STATUSES)),
    reply: { 200: stamped({ data: cursorPage(LinkWithUrl) }) },
    fault: 'Failed to list links',
    async handler({ caller, query, db }) {
      const { wanted, page } = cursorReader(query);
      const { rows, looked } = await pageOfLinks(db, tenantScopeOf(caller), query, wanted);
      const ids = rows.map(({ object_id }) => object_id);
      const names = await namesOf(db, 'payment_link', ids, namesReaderOf(caller));
      const all = rows.map((row) => ({ ...row, names: names.get(row.object_id) ?? NAMELESS }));
      const data = page(
        all,
        ({ serial }) => serial,
        (row) => shown(deps, row),
        looked,
      );
      return new Paged({ data }, data.next_cursor);
    },
  });

const readRoute = (deps: CheckoutDeps): Route =>
  endpoint('GET /payment-gateway/links/{link_id}', {
    name: 'paymentLinks.get',
    auth: 'user',
    console: true,
    errors: ['NOT_FOUND'],
    summary: 'Shows a link',
    params: ByLink,
    reply: { 200: One },
    fault: 'Failed to read the link',
    async handler({ caller, params, db }) {
      const found = await findPaymentLink(db, tenantScopeOf(caller), params.link_id);
      if (!found) throw fail('NOT_FOUND', 'Link not found');
      return { data: shown(deps, await withNames(db, found)) };
    },
  });

const setMetadata = (deps: CheckoutDeps): Route =>
  metadataRoute('PATCH /payment-gateway/links/{link_id}/metadata', {
    name: 'paymentLinks.setMetadata',
    noun: 'a link',
    params: ByLink,
    shape: LinkWithUrl,
    async find(db, caller, { link_id }) {
      const link = await findPaymentLink(db, tenantScopeOf(caller), link_id);
      if (!link) throw fail('NOT_FOUND', 'Link not found');
      const { object_id: id, client_id, user_id } = link;
      return {
        object: { type: 'payment_link', kind: 'payment_link', id, client_id, user_id },
        data: shown(deps, await withNames(db, link)),
      };
    },
  });

const changeRoute = (deps: CheckoutDeps): Route =>
  endpoint('PATCH /payment-gateway/links/{link_id}', {
    name: 'paymentLinks.update',
    auth: 'user',
    console: 'proof',
    movesMoney: true,
    errors: ['NOT_FOUND', '409 INVALID_STATUS', 'VERSION_CONFLICT'],
    summary: 'Pauses a link, opens it again, or changes what it says',
    params: ByLink,
    body: LinkChanges,
    example: { status: 'PAUSED' },
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to change the link',
    async handler({ caller, params, body, request, db }) {
      const link = await lockLink(db, tenantScopeOf(caller), params.link_id);
      if (!link) throw fail('NOT_FOUND', 'Link not found');
      const { headers } = request;
      const changed = await changeLink(deps, db, link, { body, headers });
      return { data: shown(deps, changed) };
    },
  });
