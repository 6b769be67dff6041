import { Type } from 'typebox';
import { requesterOf } from '#kernel/access/requester.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import {
  endpoints,
  type KeyCaller,
  type RequestFacts,
  type Route,
} from '#kernel/http/declare/route.ts';
import {
  explained,
  oneOfWords,
  stamped,
  Timestamp,
  text,
  Uuid,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import type { Job } from '#kernel/jobs/job.ts';
import { PhoneInput, requirePhone } from '#kernel/phone.ts';
import type { MobileDeps, MobileEntering } from './deps.ts';
import { readDeviceProof } from './device-key.ts';
import { type DeviceLogIn, requireOwnKey } from './enter.ts';
import { completeMobileLogIn, type HalfMobileLogIn, logInByCode } from './log-in.ts';
import { refreshTokens } from './refresh.ts';
import { type CodeToSend, requestMobileCode } from './request-code.ts';
import { DEVICE_TOKENS, DeviceInput, DeviceLoggedIn, deviceUser, shownDevice } from './shapes.ts';

const endpoint = endpoints(codedEnvelope);

export type MobileLogInDeps = MobileDeps & { readonly sending: Job<CodeToSend> };

const FactorNeeded = Type.Object({
  two_factor_required: Type.Literal(true),
  login_id: Uuid,
  expires_at: Timestamp,
});

const PROOF_NOTE =
  'The header `DPoP` is a proof by the device’s key (RFC 9449): ES256, `htm` and `htu` of this request, `iat` of the last minute, a `jti` that counts once.';

/** Log-ins of a person by the phone, and of a device by its key. */
export const mobileLogInRoutes = (deps: MobileLogInDeps): Route[] => [
  requestRoute(deps),
  logInRoute(deps),
  completeRoute(deps),
  refreshRoute(deps),
];

const requestRoute = (deps: MobileLogInDeps): Route =>
  endpoint('POST /mobile/login/request', {
    name: 'mobile.requestCode',
    auth: 'key',
    errors: ['PROVIDER_NOT_CONFIGURED', 'NUMBER_NOT_SERVED'],
    summary:
      'Sends a code to log in, valid for five minutes; answers the same for an unknown phone',
    body: Type.Object({
      phone: PhoneInput,
      channel: Type.Optional(
        explained(
          oneOfWords(['wa', 'sms', 'auto']),
          'Default `auto`: WhatsApp, and SMS where that is refused',
        ),
      ),
    }),
    reply: {
      200: stamped({
        data: Type.Object({
          otp_id: Uuid,
          expires_at: Timestamp,
          resend_at: explained(Timestamp, 'From then on another one may be requested'),
        }),
      }),
    },
    atomic: true,
    fault: 'Failed to send the code',
    async handler({ caller, body, db, request }) {
      const { channel = 'auto' } = body;
      const phone = requirePhone(body.phone, { dialCode: deps.config.REWARDS_DIAL_CODE });
      const by = requesterOf(caller, request);
      return { data: await requestMobileCode(deps, db, { phone, channel, key: caller.key, by }) };
    },
  });

const logInRoute = (deps: MobileLogInDeps): Route =>
  endpoint('POST /mobile/login', {
    name: 'mobile.logIn',
    auth: 'key',
    errors: [
      ...(['INVALID_CODE', 'CODE_EXPIRED', 'DEVICE_PROOF_INVALID'] as const),
      ...(['ACCOUNT_NOT_ACTIVE', 'DEVICE_LIMIT_REACHED'] as const),
    ],
    summary: 'Logs a device in by the code; with a second factor enabled, this is the first step',
    description: PROOF_NOTE,
    body: Type.Object({ otp_id: Uuid, otp_code: text(32), device: DeviceInput }),
    reply: { 200: stamped({ data: Type.Union([DeviceLoggedIn, FactorNeeded]) }) },
    fault: 'Login failed',
    async handler({ caller, body, db, request }) {
      const entering = await enteringOf(deps, caller, request, '/mobile/login');
      await requireOwnKey(body.device, entering.proof);
      const { otp_id, otp_code: code, device } = body;
      const sent = { otp_id: otp_id.toLowerCase(), code, device: keptDevice(device) };
      return { data: answerOf(await logInByCode(deps, db, entering, sent)) };
    },
  });

const completeRoute = (deps: MobileLogInDeps): Route =>
  endpoint('POST /mobile/login/complete', {
    name: 'mobile.completeLogIn',
    auth: 'key',
    errors: [
      ...(['INVALID_CODE', 'CODE_EXPIRED', 'DEVICE_PROOF_INVALID'] as const),
      ...(['ACCOUNT_NOT_ACTIVE', 'DEVICE_LIMIT_REACHED'] as const),
    ],
    summary: 'Completes the log-in of a device by the second factor, within ten minutes',
    description: PROOF_NOTE,
    body: Type.Object({ login_id: Uuid, two_fa_token: text(32) }),
    reply: { 200: stamped({ data: DeviceLoggedIn }) },
    fault: 'Login failed',
    async handler({ caller, body, db, request }) {
      const entering = await enteringOf(deps, caller, request, '/mobile/login/complete');
      const { login_id, two_fa_token: code } = body;
      const sent = { login_id: login_id.toLowerCase(), code };
      return { data: loggedInOf(await completeMobileLogIn(deps, db, entering, sent)) };
    },
  });

const refreshRoute = (deps: MobileLogInDeps): Route =>
  endpoint('POST /mobile/refresh', {
    name: 'mobile.refresh',
    auth: 'key',
    neverRepeated: true,
    errors: ['REFRESH_INVALID', 'REFRESH_REUSED', 'DEVICE_PROOF_INVALID'],
    summary: 'Exchanges the refresh token of a device for a new pair; it is spent then',
    description: PROOF_NOTE,
    body: Type.Object({ refresh_token: secret(text(200)) }),
    reply: { 200: stamped({ data: Type.Object(DEVICE_TOKENS) }) },
    fault: 'Failed to refresh the log-in',
    async handler({ caller, body, db, request }) {
      const entering = await enteringOf(deps, caller, request, '/mobile/refresh');
      return { data: await refreshTokens(deps, db, entering, body.refresh_token) };
    },
  });

async function enteringOf(
  deps: MobileDeps,
  { key }: KeyCaller,
  request: RequestFacts,
  path: string,
): Promise<MobileEntering> {
  return { key, request, proof: await readDeviceProof(deps, request, path) };
}

/** Field by field: the device may be kept until the second factor is proven. */
export const keptDevice = ({
  id,
  name,
  platform,
  public_key,
  push_token,
}: DeviceInput): DeviceInput => {
  const { kty, crv, x, y } = public_key;
  const kept = { id: id.toLowerCase(), name, platform, public_key: { kty, crv, x, y } };
  return push_token === undefined ? kept : { ...kept, push_token };
};

const answerOf = (done: DeviceLogIn | HalfMobileLogIn) =>
  'login_id' in done ? { two_factor_required: true as const, ...done } : loggedInOf(done);

/** The answer to a log-in of a device. */
export const loggedInOf = ({ login, device, session_id, tokens }: DeviceLogIn) => ({
  ...tokens,
  user: deviceUser(login),
  device: shownDevice(device, session_id),
});
