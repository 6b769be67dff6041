import { Type } from 'typebox';
import { requireUser, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import { IdInput, Nothing } from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { IdentityProvider, Person, VerificationType } from '#providers/identity/port.ts';
import type { Decisions } from './decide.ts';
import { requireAnswer } from './provider-answers.ts';

export type HostedDeps = Pick<Kernel, 'log'> & {
  readonly identity: IdentityProvider;
  readonly decisions: Decisions;
};

const endpoint = endpoints(errorEnvelope);
const Token = Type.Object({ token: secret(Type.String()) });
/** The holder of the link is verified as its user. */
const Link = Type.Object({ sdkLink: secret(Type.String()) });
const NO_TOKEN = 'Failed to create the verification token';
const NO_LINK = 'Failed to create the verification link';

/** Ways to begin a verification: a token for the provider's SDK, or a page of the provider's. */
export const hostedRoutes = (deps: HostedDeps): Route[] => [
  endpoint('POST /ekyc/idv/token', {
    name: 'verification.createToken',
    auth: 'user',
    errors: ['USER_NOT_FOUND', 'PROVIDER_REJECTED', 'PROVIDER_UNAVAILABLE'],
    summary: "A 10-minute token for the provider's SDK, to verify a person",
    body: Nothing,
    reply: { 200: Token },
    fault: NO_TOKEN,
    handler: ({ caller, db }) => token(deps, db, caller, 'KYC'),
  }),
  endpoint('POST /ekyc/idv/token-kyb', {
    name: 'verification.createCompanyToken',
    auth: 'user',
    errors: ['USER_NOT_FOUND', 'PROVIDER_REJECTED', 'PROVIDER_UNAVAILABLE'],
    summary: "A 10-minute token for the provider's SDK, to verify a company",
    body: Nothing,
    reply: { 200: Token },
    fault: NO_TOKEN,
    handler: ({ caller, db }) => token(deps, db, caller, 'KYB'),
  }),
  endpoint('POST /ekyc/idv/websdk/{userId}', {
    name: 'verification.createLink',
    auth: 'user',
    errors: ['USER_NOT_FOUND', 'PROVIDER_REJECTED', 'PROVIDER_UNAVAILABLE'],
    summary: 'A 10-minute link to the page on which a person is verified',
    params: Type.Object({ userId: IdInput }),
    body: Nothing,
    reply: { 200: Link },
    fault: NO_LINK,
    handler: ({ caller, params, db }) => link(deps, db, caller, { ...params, kind: 'KYC' }),
  }),
  endpoint('POST /ekyc/idv/websdk-kyb/{userId}', {
    name: 'verification.createCompanyLink',
    auth: 'user',
    errors: ['USER_NOT_FOUND', 'PROVIDER_REJECTED', 'PROVIDER_UNAVAILABLE'],
    summary: 'A 10-minute link to the page on which a company is verified',
    params: Type.Object({ userId: IdInput }),
    body: Nothing,
    reply: { 200: Link },
    fault: NO_LINK,
    handler: ({ caller, params, db }) => link(deps, db, caller, { ...params, kind: 'KYB' }),
  }),
];

/** Stores nothing here: the SDK creates the applicant when it is used. */
async function token(
  { identity, log }: HostedDeps,
  db: Db,
  caller: UserCaller,
  kind: VerificationType,
) {
  const person = await personOf(db, caller, caller.user_id, kind);
  return requireAnswer(await identity.accessToken(person), log, NO_TOKEN);
}

/** All of it may be repeated: there is one applicant of each kind for a user. */
async function link(
  { identity, log, decisions }: HostedDeps,
  db: Db,
  caller: UserCaller,
  { userId: user_id, kind }: { readonly userId: number; readonly kind: VerificationType },
) {
  const person = await personOf(db, caller, user_id, kind);
  const applicant = requireAnswer(await identity.createApplicant(person), log, NO_LINK);
  await decisions.begin(db, { user_id, kind, source: 'websdk', applicant });
  const { url } = requireAnswer(await identity.hostedLink(person), log, NO_LINK);
  return { sdkLink: url };
}

async function personOf(
  db: Db,
  caller: UserCaller,
  user_id: number,
  type: VerificationType,
): Promise<Person> {
  const { email, phone } = await requireUser(db, tenantScopeOf(caller), user_id);
  return { externalUserId: String(user_id), type, email, ...(phone !== null && { phone }) };
}
