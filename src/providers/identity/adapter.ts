import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Clock } from '#kernel/clock.ts';
import {
  callRepeatable,
  done,
  type HttpCall,
  type HttpReply,
  type Outcome,
  refused,
  unknown,
} from '#kernel/provider-call.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import {
  type Applicant,
  type IdentityProvider,
  type IdentityRefusal,
  LEVELS,
  type Person,
  TOKEN_TTL_S,
  type Webhook,
} from './port.ts';
import {
  type AccessRequest,
  AccessToken,
  type ApplicantRequest,
  HostedLink,
  IdentityWireError,
  payloadDigest,
  requestSignature,
  toApplicant,
  toEvent,
  WIRE_TYPE,
  WireApplicant,
  WireApplicants,
  WireEvent,
} from './wire.ts';

export interface IdentitySettings {
  /** `https://api.sumsub.com`: the signature covers the path after it. */
  url(): string;
  readonly appToken: string;
  readonly secret: string;
  /** The webhook's, not the app's. Empty verifies none. */
  readonly webhookSecret: string;
  readonly clock: Clock;
  readonly timeoutMs?: number;
}

interface SignedCall {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

const TIMEOUT_MS = 8000;

/** Speaks Sumsub's API. */
export function identityProvider(settings: IdentitySettings): IdentityProvider {
  const call = <S extends TSchema>(schema: S, signed: SignedCall) => ask(settings, schema, signed);

  const provider: IdentityProvider = {
    async accessToken(person) {
      const answer = await call(AccessToken, tokenCall(person));
      return mapDone(answer, ({ token }) => ({ token }));
    },

    hostedLink: (person) => call(HostedLink, linkCall(person)),

    async createApplicant(person) {
      const { externalUserId, type, ...identifiers } = person;
      const body: ApplicantRequest = { externalUserId, type: WIRE_TYPE[type], ...identifiers };
      const path = `/resources/applicants?levelName=${encodeURIComponent(LEVELS[type])}`;
      const answer = await call(WireApplicant, { name: 'create', method: 'POST', path, body });
      // One exists already, or the answer to a first try got lost.
      if (answer.kind === 'refused' && answer.status === 409)
        return provider.findApplicant(externalUserId, type);
      return mapDone(answer, toApplicant);
    },

    async findApplicant(externalUserId, type) {
      const path = `/resources/applicants/-;externalUserId=${encodeURIComponent(externalUserId)}`;
      const answer = await call(WireApplicants, { name: 'find', method: 'GET', path });
      if (answer.kind !== 'done') return answer;
      const found = answer.value.list.items.find((item) => item.type === WIRE_TYPE[type]);
      return found
        ? done(toApplicant(found))
        : refused('APPLICANT_NOT_FOUND', 'Applicant not found', 404);
    },

    async applicant(applicantId) {
      const path = `/resources/applicants/${encodeURIComponent(applicantId)}/one`;
      const answer = await call(WireApplicant, { name: 'get', method: 'GET', path });
      return mapDone(answer, toApplicant);
    },

    async moveToLevel(applicantId, levelName): Promise<Outcome<Applicant>> {
      const id = encodeURIComponent(applicantId);
      const path = `/resources/applicants/${id}/moveToLevel?name=${encodeURIComponent(levelName)}`;
      const answer = await call(WireApplicant, { name: 'move', method: 'POST', path });
      return mapDone(answer, toApplicant);
    },

    isGenuine: (raw, headers) => isGenuine(settings, raw, headers),
    readWebhook: (raw) => readWebhook(settings, raw),
  };
  return provider;
}

const tokenCall = (person: Person): SignedCall => ({
  name: 'token',
  method: 'POST',
  path: '/resources/accessTokens/sdk',
  body: accessRequest(person),
});

const linkCall = (person: Person): SignedCall => ({
  name: 'link',
  method: 'POST',
  path: '/resources/sdkIntegrations/levels/-/websdkLink',
  body: accessRequest(person),
});

function accessRequest({ externalUserId, type, email, phone }: Person): AccessRequest {
  const applicantIdentifiers = {
    ...(email === undefined ? {} : { email }),
    ...(phone === undefined ? {} : { phone }),
  };
  return {
    userId: externalUserId,
    levelName: LEVELS[type],
    ttlInSecs: TOKEN_TTL_S,
    ...(Object.keys(applicantIdentifiers).length > 0 ? { applicantIdentifiers } : {}),
  };
}

async function ask<S extends TSchema>(
  settings: IdentitySettings,
  schema: S,
  signed: SignedCall,
): Promise<Outcome<Static<S>>> {
  const reply = await callRepeatable(() => sign(settings, signed));
  return 'lost' in reply ? unknown(reply.lost) : read(schema, reply);
}

/** Valid for a short while only, since the provider checks the clock. */
function sign(settings: IdentitySettings, { name, method, path, body }: SignedCall): HttpCall {
  const text = body === undefined ? '' : JSON.stringify(body);
  const timestamp = String(settings.clock.seconds());
  return {
    name: `identity ${name}`,
    method,
    url: `${settings.url()}${path}`,
    headers: {
      'x-app-token': settings.appToken,
      'x-app-access-ts': timestamp,
      'x-app-access-sig': requestSignature(settings.secret, timestamp, {
        method,
        path,
        body: text,
      }),
      // Their documentation wants it with every call, also without a body.
      'content-type': 'application/json',
    },
    ...(text === '' ? {} : { body: text }),
    timeoutMs: settings.timeoutMs ?? TIMEOUT_MS,
  };
}

function read<S extends TSchema>(schema: S, { status, json }: HttpReply): Outcome<Static<S>> {
  if (status >= 200 && status < 300)
    return Value.Check(schema, json) ? done(json) : unknown('an answer of another shape');
  const error: IdentityWireError = Value.Check(IdentityWireError, json)
    ? json
    : { description: '', code: status };
  return refused(refusal(status, error), error.description || `Status ${status}`, status);
}

/** `app-token-request-expired`: our request arrived too late after it was signed. */
const REQUEST_EXPIRED = 4004;

function refusal(status: number, { description, errorCode }: IdentityWireError): IdentityRefusal {
  if (status === 429) return 'RATE_LIMITED';
  if (status === 401 || status === 403) {
    const expired = errorCode === REQUEST_EXPIRED || /expired/i.test(description);
    return expired ? 'TOKEN_EXPIRED' : 'UNAUTHORIZED';
  }
  if (/\blevel\b.*\b(not found|does not exist|unknown)\b/i.test(description))
    return 'LEVEL_NOT_FOUND';
  return status === 404 ? 'APPLICANT_NOT_FOUND' : 'INVALID_PARAMS';
}

function mapDone<T, U>(outcome: Outcome<T>, change: (value: T) => U): Outcome<U> {
  return outcome.kind === 'done' ? done(change(outcome.value)) : outcome;
}

/** What the dashboard offers to sign webhooks with. */
const ALGORITHMS = new Map([
  ['HMAC_SHA1_HEX', 'sha1'],
  ['HMAC_SHA256_HEX', 'sha256'],
  ['HMAC_SHA512_HEX', 'sha512'],
] as const as readonly (readonly [string, 'sha1' | 'sha256' | 'sha512'])[]);

function isGenuine(
  { webhookSecret }: IdentitySettings,
  raw: Uint8Array,
  headers: IncomingHttpHeaders,
): boolean {
  const digest = headers['x-payload-digest'];
  const named = String(headers['x-payload-digest-alg'] ?? 'HMAC_SHA256_HEX');
  const algorithm = ALGORITHMS.get(named);
  if (webhookSecret === '' || typeof digest !== 'string' || algorithm === undefined) return false;
  return sameSecret(digest.toLowerCase(), payloadDigest(webhookSecret, raw, algorithm));
}

function readWebhook({ clock }: IdentitySettings, raw: Uint8Array): Webhook {
  // Of the body alone: a provider that delivers twice, or a replay, sends the same bytes.
  const digest = createHash('sha256').update(raw).digest('hex');
  const wire = parse(raw);
  return wire === undefined
    ? { kind: 'ignored', digest }
    : { kind: 'event', event: toEvent(wire, digest, clock.now()) };
}

function parse(raw: Uint8Array): WireEvent | undefined {
  try {
    const json: unknown = JSON.parse(Buffer.from(raw).toString('utf8'));
    return Value.Check(WireEvent, json) ? json : undefined;
  } catch {
    return undefined;
  }
}
