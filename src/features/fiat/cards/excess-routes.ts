import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { operatorOnly } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { explained, oneOfWords, text } from '#kernel/http/declare/schema.ts';
import { excessAccounts, excessKind, writeOffExcess } from '#kernel/ledger/excess.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { format } from '#kernel/money/money.ts';
import { cardEnvelope } from './envelope.ts';
import { bookDecided, type ReturnDeps } from './returned.ts';

const endpoint = endpoints(cardEnvelope);

const Payment = (listed: string, example: string) =>
  explained(text(200), `As GET /desk/work names it under ${listed}, such as ${example}`);

/** Beyond the contract: decisions about returned money that only a person can make. */
export const excessRoutes = (deps: ReturnDeps): Route[] => [excessRoute(), reversalRoute(deps)];

/** Money in question is neither taken nor refunded until then. */
const reversalRoute = (deps: ReturnDeps): Route =>
  endpoint('POST /card-checkout/reversals/decide', {
    name: 'cards.decideReversal',
    team: 'books:write',
    movesMoney: true,
    auth: 'admin',
    permit: operatorOnly,
    proof: true,
    errors: ['NOT_FOUND'],
    summary:
      'Decides what the network’s reversal of a top-up means after we had refunded a part of it',
    body: Type.Object({
      payment: Payment('discrepancies', 'card:TOPUP-NFCRADBEHKLMPQGJ'),
      meant: explained(
        oneOfWords(['ALL', 'REFUND'] as const),
        'ALL: the network has taken the rest, too, and so do we. REFUND: it means our refund alone',
      ),
    }),
    atomic: true,
    reply: {
      200: Type.Object({
        message: Type.String(),
        data: Type.Object({ payment: Type.String(), meant: Type.String() }),
      }),
    },
    fault: 'Failed to decide it',
    async handler({ caller, body: { payment, meant }, request, db }) {
      const row = await bookDecided(db, deps, payment, meant);
      if (!row) throw fail('NOT_FOUND', 'Nothing of that payment is in question');
      const of = { client_id: row.client_id, subject_user_id: row.user_id };
      const details = { payment, meant };
      const action = 'CARD_REVERSAL_DECIDED';
      await logActivity(db, { action, actor: caller, ...of, details, request });
      return { message: 'Decided', data: { payment, meant } };
    },
  });

/** Beyond the contract: the end of a claim where the network, or a bank, keeps money that it got twice. */
const excessRoute = (): Route =>
  endpoint('POST /card-checkout/returned-twice/write-off', {
    name: 'cards.writeOffExcess',
    team: 'books:write',
    movesMoney: true,
    auth: 'admin',
    permit: operatorOnly,
    proof: true,
    errors: ['NOT_FOUND'],
    summary:
      'Writes off money that the card network has taken back, or a bank has been paid, although we had refunded it',
    body: Type.Object({
      payment: Payment(
        'returned_twice',
        'card:TOPUP-NFCRADBEHKLMPQGJ or payout:REDEEM-1790000000000-12',
      ),
    }),
    atomic: true,
    reply: {
      200: Type.Object({
        message: Type.String(),
        data: Type.Object({
          payment: Type.String(),
          amount: Type.String(),
          currency: Type.String(),
        }),
      }),
    },
    fault: 'Failed to write it off',
    async handler({ caller, body: { payment }, request, operation, db }) {
      const excess = await writeOffExcess(db, payment);
      if (!excess) throw fail('NOT_FOUND', 'Nothing of that payment was taken back twice');
      const { asset, units } = excess;
      const details = { payment, units: units.toString(), currency: asset };
      const kind = excessKind(payment);
      const action = kind === 'card' ? 'CARD_EXCESS_WRITTEN_OFF' : 'PAYOUT_EXCESS_WRITTEN_OFF';
      await logActivity(db, { action, actor: caller, details, request });
      const { losses, disputed } = await excessAccounts(db, payment, asset);
      await postWithin(db, {
        key: `${payment}:write-off:${operation}`,
        kind: `${kind}-write-off`,
        legs: transfer(losses, disputed, units),
      });
      const data = { payment, amount: format({ asset, units }), currency: asset };
      return { message: 'Written off', data };
    },
  });
