import { CODES, type Code } from '#kernel/error.ts';
import { missingFields } from './faults.ts';
import type { AnyEndpoint, Auth, DeclaredError, Route } from './route.ts';

/** The failures of one status. */
export interface Refusals {
  readonly status: number;
  readonly codes: readonly Code[];
  /** Those of them that the endpoint's own declaration adds. */
  readonly own: readonly Code[];
  /** What they are called where nothing but the usual is among them: the same of many endpoints. */
  readonly usual: string | undefined;
}

/**
 * Every failure that an endpoint answers, by status: what follows from how it is declared, and what it says
 * itself. Tests hold every answer against it (`test/refusals.ts`).
 */
export function refusalsOf(route: Route): Refusals[] {
  const usual = usualOf(route);
  const own = Map.groupBy(ownOf(route.endpoint), ({ status }) => status);
  const statuses = new Set([...usual.map(({ status }) => status), ...own.keys()]);
  return [...statuses]
    .sort((a, b) => a - b)
    .map((status) => {
      const known = usual.find((refusals) => refusals.status === status);
      const said = (own.get(status) ?? []).map(({ code }) => code);
      const added = [...said, ...ofDeclaration(route.endpoint, status)];
      const codes = [...new Set([...(known?.codes ?? []), ...added])];
      return {
        status,
        codes,
        own: [...new Set(added)],
        usual: added.length === 0 ? known?.name : undefined,
      };
    });
}

/** An endpoint that calls a provider may find none configured. */
function ownOf({ errors = [] }: AnyEndpoint) {
  const own = errors.map(read);
  const asks = own.find(({ code }) => code === 'PROVIDER_UNAVAILABLE');
  return asks ? [...own, { code: 'PROVIDER_NOT_CONFIGURED' as const, status: 503 }] : own;
}

function read(declared: DeclaredError): { status: number; code: Code } {
  const [first = '', second] = declared.split(' ');
  const code = (second ?? first) as Code;
  return { code, status: second === undefined ? CODES[code] : Number(first) };
}

interface Usual {
  readonly status: number;
  readonly name: string;
  readonly codes: readonly Code[];
}

/** Where something is missing, or is not known and would move money, it says so by a code of its own. */
const ofBody = ({ invalid, movesMoney, requiresKey }: AnyEndpoint): readonly Code[] => [
  ...(requiresKey ? (['IDEMPOTENCY_KEY_REQUIRED'] as const) : []),
  ...(invalid === missingFields ? (['MISSING_FIELDS'] as const) : []),
  ...(movesMoney ? (['UNKNOWN_FIELD'] as const) : []),
];

const ofDeclaration = (endpoint: AnyEndpoint, status: number): readonly Code[] => {
  if (status === 400) return ofBody(endpoint);
  return status === 409 && endpoint.creates !== undefined ? ['REFERENCE_IN_USE'] : [];
};

const OF_ANY = ['VALIDATION_ERROR', 'UNKNOWN_VERSION'] as const;
const CHANGES = /^(POST|PUT|PATCH|DELETE) /;

function usualOf({ id, endpoint }: Route): Usual[] {
  const changes = CHANGES.test(id);
  const all: (Usual | undefined)[] = [
    changes
      ? { status: 400, name: 'BadRequest', codes: [...OF_ANY, 'MALFORMED_JSON', 'DUPLICATE_FIELD'] }
      : { status: 400, name: 'BadQuery', codes: OF_ANY },
    unauthorized(endpoint),
    forbidden(endpoint),
    changes ? IN_PROGRESS : undefined,
    changes ? { status: 413, name: 'TooLarge', codes: ['PAYLOAD_TOO_LARGE'] } : undefined,
    changes ? { status: 415, name: 'NotJson', codes: ['UNSUPPORTED_MEDIA_TYPE'] } : undefined,
    changes ? { status: 422, name: 'KeyReused', codes: ['IDEMPOTENCY_KEY_REUSED'] } : undefined,
    { status: 429, name: 'TooManyRequests', codes: ['RATE_LIMITED'] },
    { status: 500, name: 'Fault', codes: ['INTERNAL'] },
    { status: 503, name: 'Unavailable', codes: ['OVERLOADED', 'SHUTTING_DOWN'] },
  ];
  return all.filter((usual) => usual !== undefined);
}

const IN_PROGRESS: Usual = {
  status: 409,
  name: 'InProgress',
  codes: ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_ANSWER_NOT_KEPT'],
};

const OF_KEY = ['API_KEY_MISSING', 'API_KEY_INVALID'] as const;
const OF_TOKEN = ['TOKEN_MISSING', 'TOKEN_INVALID', 'TOKEN_EXPIRED'] as const;

function unauthorized({ auth, keyOptional, signed }: AnyEndpoint): Usual | undefined {
  if (auth === 'public')
    return signed && { status: 401, name: 'NotProven', codes: ['INVALID_SIGNATURE'] };
  if (auth === 'key') return { status: 401, name: 'KeyRefused', codes: OF_KEY };
  const codes = keyOptional ? [OF_KEY[1], ...OF_TOKEN] : [...OF_KEY, ...OF_TOKEN];
  return { status: 401, name: keyOptional ? 'TokenRefused' : 'LogInRefused', codes };
}

const OF_KEY_USE = ['FORBIDDEN', 'ACCOUNT_NOT_ACTIVE', 'IP_NOT_ALLOWED'] as const;
const OF_LOG_IN = [...OF_KEY_USE, 'SECOND_FACTOR_REQUIRED'] as const;

/** A key may lack the scope; a user may be none any more. */
const FORBIDDEN_BY: Readonly<Record<Exclude<Auth, 'public'>, Usual>> = {
  key: { status: 403, name: 'KeyForbidden', codes: OF_KEY_USE },
  user: { status: 403, name: 'Forbidden', codes: OF_LOG_IN },
  admin: { status: 403, name: 'Forbidden', codes: OF_LOG_IN },
  rewards: { status: 403, name: 'KeyForbidden', codes: OF_KEY_USE },
  either: { status: 403, name: 'Forbidden', codes: OF_LOG_IN },
};

function forbidden({ auth, proof, movesMoney }: AnyEndpoint): Usual | undefined {
  if (auth === 'public') return undefined;
  const usual = FORBIDDEN_BY[auth];
  const stopsAtClosing = movesMoney && auth !== 'key' && auth !== 'rewards';
  return {
    ...usual,
    name: `${usual.name}${proof ? 'OrUnproven' : ''}${stopsAtClosing ? 'OrClosing' : ''}`,
    codes: [
      ...usual.codes,
      ...(proof ? (['STEP_UP_REQUIRED'] as const) : []),
      ...(stopsAtClosing ? (['ACCOUNT_CLOSING'] as const) : []),
    ],
  };
}
