import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { operatorOnly } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { explained, text } from '#kernel/http/declare/schema.ts';
import { excessAccounts, excessKind, writeOffExcess } from '#kernel/ledger/excess.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { format } from '#kernel/money/money.ts';
import { cardEnvelope } from './envelope.ts';

const endpoint = endpoints(cardEnvelope);

/** Beyond the contract: the way out where the network, or a bank, keeps what went there a second time. */
export const excessRoute = (): Route =>
  endpoint('POST /card-checkout/returned-twice/write-off', {
    name: 'cards.writeOffExcess',
    movesMoney: true,
    auth: 'admin',
    permit: operatorOnly,
    proof: true,
    errors: ['NOT_FOUND'],
    summary:
      'Gives up what the card network has taken back, or a bank has been paid, although we had refunded it',
    body: Type.Object({
      payment: explained(
        text(200),
        'As GET /desk/work names it, such as card:TOPUP-NFCRADBEHKLMPQGJ or payout:REDEEM-1790000000000-12',
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
