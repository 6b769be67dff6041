import { Type } from 'typebox';
import { decide } from '#kernel/access/attempts.ts';
import { PROOF } from '#kernel/access/fresh-proof.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { pageOf, pageQuery } from '#kernel/http/declare/page.ts';
import {
  endpoints,
  Paged,
  type RequestFacts,
  type Route,
  type UserCaller,
} from '#kernel/http/declare/route.ts';
import {
  flat,
  Id,
  IdInput,
  Nullable,
  Success,
  TextOrNull,
  Timestamp,
  text,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import type { TwoFactorCall, TwoFactorDeps } from './acting.ts';
import { listAudit } from './audit-store.ts';
import type { LoginCodes } from './login-codes.ts';
import { setUp, showBackupCodes } from './set-up.ts';
import { countBackupCodes, findSettings } from './store.ts';
import { switchOff, switchOn } from './switch.ts';
import { TWO_FACTOR_ISSUER } from './totp.ts';

export type TwoFactorRouteDeps = TwoFactorDeps & { readonly codes: LoginCodes };

const endpoint = endpoints(flatEnvelope);

/** Long enough for any code, so that a wrong code differs from none. */
const Code = text(32);
const Password = text(1024);
const MessageReply = flat({ message: Type.String() });
const BackupCodes = secret(Type.Array(Type.String()));
const RENEWED = 'Your earlier backup codes could not be shown. These take their place.';
const data = <T extends Parameters<typeof Type.Object>[0]>(properties: T) =>
  Type.Object({ success: Success, data: Type.Object(properties) });

/** Contract part 1, Two-factor. */
export const twoFactorRoutes = (deps: TwoFactorRouteDeps): Route[] => [
  ...settingRoutes(deps),
  ...passwordRoutes(deps),
  ...readRoutes(),
  verifyLoginRoute(deps),
];

interface Called {
  readonly caller: UserCaller;
  readonly db: Db;
  readonly request: RequestFacts;
}
const callOf = (deps: TwoFactorRouteDeps, { caller, db, request }: Called): TwoFactorCall => ({
  ...deps,
  db,
  request,
  user_id: caller.user_id,
  session_id: caller.session_id,
});

const settingRoutes = (deps: TwoFactorRouteDeps): Route[] => [
  endpoint('POST /2fa/setup', {
    name: 'twoFactor.setUp',
    auth: 'user',
    console: 'set-up',
    errors: [
      'TWO_FACTOR_ALREADY_ENABLED',
      'INVALID_PASSWORD',
      'INVALID_CODE',
      'FRESH_LOGIN_REQUIRED',
    ],
    summary:
      'Creates a secret for an authenticator app and backup codes, to be enabled with a code.',
    body: Type.Object(PROOF),
    reply: {
      200: data({
        secret: secret(Type.String()),
        qr_code: secret(Type.String()),
        backup_codes: BackupCodes,
        manual_entry_key: secret(Type.String()),
        issuer: Type.String(),
        account_name: Type.String(),
      }),
    },
    fault: 'Failed to set up 2FA',
    async handler(call) {
      const made = await setUp(callOf(deps, call), call.body);
      return { data: { ...made, manual_entry_key: made.secret, issuer: TWO_FACTOR_ISSUER } };
    },
  }),

  endpoint('POST /2fa/enable', {
    name: 'twoFactor.enable',
    auth: 'user',
    console: 'set-up',
    errors: [
      'TWO_FACTOR_ALREADY_ENABLED',
      'TWO_FACTOR_NOT_SETUP',
      'INVALID_CODE',
      'INVALID_PASSWORD',
      'FRESH_LOGIN_REQUIRED',
    ],
    summary: 'Enables the second factor: every log-in asks for a code.',
    body: Type.Object({ token: Code, ...PROOF }),
    reply: { 200: MessageReply },
    invalid: 'Verification code is required',
    fault: 'Failed to enable 2FA',
    async handler(call) {
      await switchOn(callOf(deps, call), call.body.token, call.body);
      return { message: '2FA enabled successfully' };
    },
  }),
];

const passwordRoutes = (deps: TwoFactorRouteDeps): Route[] => [
  endpoint('POST /2fa/disable', {
    name: 'twoFactor.disable',
    auth: 'user',
    errors: ['TWO_FACTOR_NOT_ENABLED', 'INVALID_PASSWORD', 'INVALID_CODE'],
    summary: 'Disables the second factor. Needs the password and a code.',
    body: Type.Object({ token: Code, password: Password }),
    reply: { 200: MessageReply },
    invalid: 'Token and password are required',
    fault: 'Failed to disable 2FA',
    async handler(call) {
      await switchOff(callOf(deps, call), call.body.token, call.body.password);
      return { message: '2FA disabled successfully' };
    },
  }),

  endpoint('POST /2fa/backup-codes', {
    name: 'twoFactor.listBackupCodes',
    auth: 'user',
    errors: ['TWO_FACTOR_NOT_ENABLED', 'TWO_FACTOR_NOT_SETUP', 'INVALID_PASSWORD', 'INVALID_CODE'],
    summary: 'The unused backup codes. New ones come with a new set-up.',
    body: Type.Object({ password: Password }),
    reply: {
      200: Type.Object({
        success: Success,
        message: Type.Optional(Type.String()),
        data: Type.Object({ backup_codes: BackupCodes }),
      }),
    },
    invalid: 'Password is required',
    fault: 'Failed to show backup codes',
    async handler(call) {
      const { codes, renewed } = await showBackupCodes(callOf(deps, call), call.body.password);
      return { ...(renewed && { message: RENEWED }), data: { backup_codes: codes } };
    },
  }),
];

const readRoutes = (): Route[] => [
  endpoint('GET /2fa/status', {
    name: 'twoFactor.getStatus',
    auth: 'user',
    console: 'set-up',
    summary: 'Whether a second factor is set up and enabled.',
    reply: {
      200: data({
        is_enabled: Type.Boolean(),
        is_setup: Type.Boolean(),
        setup_completed_at: Nullable(Timestamp),
        last_used_at: Nullable(Timestamp),
        backup_codes_count: Type.Integer(),
      }),
    },
    fault: 'Failed to read 2FA status',
    async handler({ caller, db }) {
      const settings = await findSettings(db, caller.user_id);
      return {
        data: {
          is_enabled: settings?.is_enabled ?? false,
          is_setup: settings !== undefined,
          setup_completed_at: settings?.setup_completed_at ?? null,
          last_used_at: settings?.last_used_at ?? null,
          backup_codes_count: settings ? await countBackupCodes(db, caller.user_id) : 0,
        },
      };
    },
  }),

  endpoint('GET /2fa/audit', {
    name: 'twoFactor.audit',
    auth: 'user',
    history: true,
    summary:
      "The history of the caller's second factor, newest first; `before` is the last id of the page before.",
    query: Type.Object(pageQuery(100)),
    reply: {
      200: Type.Object({
        success: Success,
        data: Type.Array(
          Type.Object({
            id: Id,
            action: Type.String(),
            client_ip: TextOrNull,
            user_agent: TextOrNull,
            success: Type.Boolean(),
            failure_reason: TextOrNull,
            created_at: Timestamp,
          }),
        ),
        next_before: Nullable(Id),
      }),
    },
    async handler({ caller, db, query: { limit = 50, before } }) {
      const found = await listAudit(db, caller.user_id, limit + 1, before);
      const { rows: data, next_before } = pageOf(found, limit, ({ id }) => id);
      return new Paged({ data, next_before }, next_before);
    },
  }),
];

const verifyLoginRoute = ({ codes }: TwoFactorRouteDeps): Route =>
  endpoint('POST /2fa/verify-login', {
    name: 'twoFactor.verifyLogIn',
    auth: 'key',
    errors: ['INVALID_CODE', 'TWO_FACTOR_NOT_ENABLED'],
    summary: 'Checks the code of a log-in that waits for it, without using it up.',
    body: Type.Object({ user_id: IdInput, token: Code }),
    reply: { 200: MessageReply },
    invalid: 'User ID and token are required',
    fault: 'Failed to verify code',
    async handler({ caller, body, db, request }) {
      const { user_id, token: code } = body;
      await decide(db, async (tx) => {
        const { key_id } = caller.key;
        const verdict = await codes.verify(tx, { user_id, key_id, code, consume: false, request });
        // One answer for every reason: a caller without a proven password learns nothing of codes or users.
        return verdict.ok ? verdict : fail('INVALID_CODE', 'Invalid verification code');
      });
      return { message: 'Verification code is valid' };
    },
  });
