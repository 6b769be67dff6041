import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { endpoints, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import { explained, stamped, Timestamp } from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import type { Currency } from '#kernel/money/amount-fields.ts';
import { stepUpOf } from '#kernel/policies/operation.ts';
import { stepUpRequired } from '#kernel/policies/refusals.ts';
import { isProven, stepUpChallenge } from '#kernel/policies/step-up.ts';
import { notConfigured } from '#kernel/provider-call.ts';
import { transact } from '#kernel/transact.ts';
import type { IssuedCardDeps } from './deps.ts';
import { cardOwnerOf } from './people-store.ts';
import { issuedCardId } from './presenters.ts';
import { findIssuedCard, type IssuedCard } from './store.ts';

const endpoint = endpoints(codedEnvelope);
const params = Type.Object({ card_id: objectIdInput('crd') });

const ShownPage = named('CardPage', {
  url: secret(explained(Type.String(), 'A page of the processor, for the card’s owner alone')),
  expires_at: explained(Timestamp, 'It has to be opened before, and opens once'),
});

/** Number, security code and PIN are shown by the processor: none of them passes through this service. */
export const cardPageRoutes = (deps: IssuedCardDeps): Route[] => [
  pageRoute(deps, {
    id: 'POST /cards/{card_id}/reveal',
    name: 'issuedCards.reveal',
    summary: 'Gives the page on which its owner sees the number of a card, once',
    what: 'number',
  }),
  pageRoute(deps, {
    id: 'POST /cards/{card_id}/pin',
    name: 'issuedCards.setPin',
    summary: 'Gives the page on which its owner sets the PIN of a card, once',
    what: 'pin',
  }),
];

interface PageOfCard {
  readonly id: 'POST /cards/{card_id}/reveal' | 'POST /cards/{card_id}/pin';
  readonly name: 'issuedCards.reveal' | 'issuedCards.setPin';
  readonly summary: string;
  readonly what: 'number' | 'pin';
}

const SHOWING = ['INACTIVE', 'ACTIVE', 'FROZEN'] as const;

const pageRoute = (deps: IssuedCardDeps, { id, name, summary, what }: PageOfCard): Route =>
  endpoint(id, {
    name,
    auth: 'user',
    errors: [
      ...(['NOT_FOUND', '409 INVALID_STATUS', 'STEP_UP_REQUIRED'] as const),
      ...(['PROVIDER_UNAVAILABLE', 'PROVIDER_NOT_CONFIGURED', 'PROVIDER_REJECTED'] as const),
    ],
    summary,
    params,
    reply: { 200: stamped({ data: ShownPage }) },
    fault: 'Failed to open the page',
    async handler({ caller, params, request, db }) {
      const card = await findIssuedCard(db, { user_id: caller.user_id }, params.card_id);
      if (!card) throw fail('NOT_FOUND', 'Card not found');
      if (!(SHOWING as readonly string[]).includes(card.status))
        throw notAllowedIn(card.status, SHOWING);
      await requireProof(deps, db, { caller, card, what, stepUp: stepUpOf(request) });
      const { issuing } = deps;
      const page =
        what === 'pin'
          ? await issuing.pinPage(card.card_id)
          : await issuing.numberPage(card.card_id);
      if (page.kind === 'done')
        return { data: { url: page.value.url, expires_at: page.value.expires.toISOString() } };
      if (page.kind === 'refused') throw fail('PROVIDER_REJECTED', 'The processor shows no page');
      throw notConfiguredOrAway(page.cause);
    },
  });

const notConfiguredOrAway = (cause: string) =>
  cause === 'NOT_CONFIGURED'
    ? notConfigured('issuing')
    : fail('PROVIDER_UNAVAILABLE', 'The processor did not answer. Please try again.');

interface Showing {
  readonly caller: UserCaller;
  readonly card: IssuedCard;
  readonly what: 'number' | 'pin';
  readonly stepUp: string | undefined;
}

/** The holder of a session has to prove to be its person. Throws STEP_UP_REQUIRED; a proof is used up. */
async function requireProof(
  { clock, vault }: IssuedCardDeps,
  db: Db,
  { caller: { user_id }, card, what, stepUp }: Showing,
): Promise<void> {
  const now = clock.now();
  const of = {
    kind: 'card' as const,
    amount: { asset: card.currency as Currency, units: 0n },
    recipient: { id: `${issuedCardId(card)}:${what}`, kind: 'card' },
    user_id,
  };
  if (
    stepUp !== undefined &&
    (await transact(db, (tx) => isProven(tx, { vault, now }, of, stepUp)))
  )
    return;
  throw stepUpRequired(stepUpChallenge(vault, of, await cardOwnerOf(db, user_id), now));
}
