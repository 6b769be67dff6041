import { Type } from 'typebox';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { explained, oneOfWords, stamped, Timestamp, text } from '#kernel/http/declare/schema.ts';
import type { ProfileFeatureDeps } from '../deps.ts';
import { closeOwnAccount, keepAccount } from './close.ts';

const endpoint = endpoints(codedEnvelope);

/** People close their accounts, and may think better of it. */
export const closingRoutes = (deps: ProfileFeatureDeps): Route[] => [
  endpoint('POST /profile/close', {
    name: 'profile.close',
    auth: 'user',
    errors: ['INVALID_PASSWORD', 'INVALID_CODE', 'ACCOUNT_NOT_EMPTY', 'LAST_ADMIN'],
    summary: 'Closes the account of the caller; it is erased 14 days later',
    body: Type.Object({
      current_password: text(1024),
      two_fa_token: Type.Optional(text(32)),
    }),
    reply: {
      202: stamped({
        data: Type.Object({
          status: oneOfWords(['CLOSING']),
          erases_at: explained(Timestamp, 'When the account is erased, unless it is kept'),
        }),
      }),
    },
    fault: 'Failed to close the account',
    async handler({ caller, body, db, request }) {
      const { current_password, two_fa_token } = body;
      const wish = { caller, request, current_password, two_fa_token };
      const { erases_at } = await closeOwnAccount(deps, db, wish);
      return { data: { status: 'CLOSING' as const, erases_at } };
    },
  }),

  endpoint('POST /profile/close/cancel', {
    name: 'profile.cancelClosing',
    auth: 'user',
    errors: ['409 INVALID_STATUS'],
    summary: 'Keeps an account that was to be closed',
    reply: {
      200: stamped({
        data: Type.Object({
          status: oneOfWords(['CANCELLED']),
          cancelled_at: Timestamp,
        }),
      }),
    },
    fault: 'Failed to keep the account',
    async handler({ caller, request }) {
      const { cancelled_at } = await keepAccount(deps, caller, request);
      return { data: { status: 'CANCELLED' as const, cancelled_at: cancelled_at ?? '' } };
    },
  }),
];
