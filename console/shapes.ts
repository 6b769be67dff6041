import type {
  Adjustment,
  AdjustmentStatus,
  AdjustmentToDecide,
  OneAdjustment,
  Proposal,
} from './adjustment-shapes.ts';
import type { Break, BreakState, Rail } from './break-shapes.ts';
import type { ClientEndpoints } from './client-endpoints.ts';
import type { Discrepant, InDoubt, ReturnedTwice } from './doubt-shapes.ts';
import type { OnePayment, Payment, PaymentMoment, PaymentQuery } from './payment-shapes.ts';
import type {
  ChangeOrder,
  LeftByClient,
  LeftByUser,
  OneChange,
  Organisation,
  Person,
} from './stop-shapes.ts';
import type {
  AuditEntry,
  Colleague,
  Invitation,
  NamedPerson,
  RequestLine,
  RequestQuery,
  TeamRole,
} from './team-shapes.ts';

/** Requests and answers of the console, as far as it shows them: test/console-pages.long.test.ts compares. */
interface Stopping<K extends string, A = object> {
  params: Record<K, number>;
  body: Reason;
  answer: A;
}

export interface Endpoints extends ClientEndpoints {
  'GET /console/me': { answer: { data: Me } };
  'GET /console/people': {
    query: { ids: string };
    answer: { data: { people: readonly NamedPerson[] } };
  };
  'POST /console/session': {
    body: { usernameoremail: string; password: string };
    answer: { data: LogIn };
  };
  'POST /console/session/complete': {
    body: { user_id: number; code: string };
    answer: { data: LogIn };
  };
  'POST /console/session/prove': { body: Proof; answer: { data: object } };
  'DELETE /console/session': { answer: object };
  'POST /2fa/setup': {
    body: object;
    answer: {
      data: { qr_code: string; manual_entry_key: string; backup_codes: readonly string[] };
    };
  };
  'POST /2fa/enable': { body: { token: string }; answer: object };
  'GET /desk/work': { answer: { data: Work; timestamp: string } };
  'POST /desk/work/try-again': {
    body: { what: Stalled['what']; kind: string; id: string };
    answer: object;
  };
  'POST /desk/dead-letters/{id}/redrive': { params: { id: string }; answer: object };
  'GET /desk/timeline': { query: { q: string }; answer: { data: Timeline } };
  'GET /payments': {
    query: PaymentQuery;
    answer: { data: { items: readonly Payment[]; next_cursor: string | null } };
  };
  'GET /payments/{payment_id}': {
    params: OnePayment;
    answer: { data: Payment; timestamp: string };
  };
  'GET /payments/{payment_id}/timeline': {
    params: OnePayment;
    answer: { data: { items: readonly PaymentMoment[] } };
  };
  'PATCH /payments/{payment_id}/metadata': {
    params: OnePayment;
    body: { metadata: Readonly<Record<string, string | null>> };
    answer: object;
  };
  'GET /clients': { query: { limit?: number; before?: number }; answer: readonly Client[] };
  'GET /desk/orders': {
    query: { limit?: number; before?: number };
    answer: {
      data: { orders: readonly ChangeOrder[]; pagination: { next_before: number | null } };
      timestamp: string;
    };
  };
  'DELETE /users/{user_id}/pending-changes/{change_id}': { params: OneChange; answer: object };
  'POST /clients/{client_id}/stop': Stopping<'client_id', { left: LeftByClient }>;
  'POST /clients/{client_id}/let-in': Stopping<'client_id'>;
  'POST /admins/users/{user_id}/stop': {
    params: { user_id: number };
    body: Reason & { end_keys?: boolean };
    answer: { left: LeftByUser };
  };
  'POST /admins/users/{user_id}/let-in': Stopping<'user_id'>;
  'GET /wallets/fiat/{user_id}': {
    params: { user_id: number };
    answer: { data: { wallets: readonly Wallet[] } };
  };
  'POST /wallets/fiat/{wallet_id}/freeze': Stopping<'wallet_id'>;
  'POST /wallets/fiat/{wallet_id}/unfreeze': Stopping<'wallet_id'>;
  'GET /adjustments': {
    query: { limit?: number; before?: number; status?: AdjustmentStatus };
    answer: {
      data: {
        adjustments: readonly Adjustment[];
        pagination: { next_before: number | null };
      };
    };
  };
  'GET /adjustments/{adjustment_id}': {
    params: OneAdjustment;
    answer: { data: AdjustmentToDecide };
  };
  'POST /adjustments': { body: Proposal; answer: { data: Adjustment } };
  'POST /adjustments/{adjustment_id}/approve': {
    params: OneAdjustment;
    body: object;
    answer: object;
  };
  'POST /adjustments/{adjustment_id}/reject': {
    params: OneAdjustment;
    body: Reason;
    answer: object;
  };
  'POST /adjustments/{adjustment_id}/withdraw': {
    params: OneAdjustment;
    body: object;
    answer: object;
  };
  'GET /reconciliation/breaks': {
    query: { limit?: number; before?: number; state?: BreakState; rail?: string };
    answer: {
      data: { breaks: readonly Break[]; rails: readonly Rail[]; next_before: number | null };
    };
  };
  'POST /reconciliation/breaks/{break_id}/explain': {
    params: { break_id: number };
    body: { note: string };
    answer: object;
  };
  'GET /team': {
    query: { limit?: number; before?: number };
    answer: {
      data: { members: readonly Colleague[]; invitations: readonly Invitation[] };
      timestamp: string;
    };
  };
  'POST /team/invitations': { body: { email: string; team_role: TeamRole }; answer: object };
  'DELETE /team/invitations/{invitation_id}': {
    params: { invitation_id: string };
    answer: object;
  };
  'PATCH /team/{user_id}': {
    params: { user_id: number };
    body: { team_role: TeamRole };
    answer: object;
  };
  'DELETE /team/{user_id}': {
    params: { user_id: number };
    query: { keys: 'keep' | 'stop'; endpoints: 'keep' | 'stop' };
    answer: object;
  };
  'GET /request-logs': {
    query: RequestQuery;
    answer: { data: { items: readonly RequestLine[]; next_cursor: string | null } };
  };
  'GET /admins/audit': {
    query: { limit?: number; before?: number; action?: string };
    answer: { entries: readonly AuditEntry[]; next_before: number | null };
  };
}

export interface Me {
  readonly user: {
    readonly user_id: number;
    readonly client_id: number;
    readonly username: string;
    readonly email: string | null;
  };
  readonly home: 'operator' | 'client';
  readonly organisation: string;
  readonly team_role: TeamRole;
  readonly may: readonly string[];
  readonly state: Exclude<LogIn['state'], 'second_factor'>;
  readonly version: string;
}

export interface LogIn {
  readonly state: 'signed_in' | 'second_factor' | 'set_up_second_factor';
  readonly user_id: number;
}

export interface Proof {
  readonly password?: string;
  readonly code?: string;
}

interface Reason {
  readonly reason: string;
}

/** Work in flight by name, with the age of the oldest. */
interface Counted {
  readonly open: number;
  readonly stalled: number;
  readonly oldest_s: number;
}

export interface Work {
  readonly queues: readonly {
    readonly name: string;
    readonly due: number;
    readonly delayed: number;
    readonly retrying: number;
    readonly active: number;
    readonly oldest_s: number;
  }[];
  readonly dead_letters: readonly DeadLetter[];
  readonly effects: readonly (Counted & { readonly kind: string; readonly overdue: number })[];
  readonly in_doubt: readonly InDoubt[];
  readonly returned_twice: readonly ReturnedTwice[];
  readonly discrepancies: readonly Discrepant[];
  readonly inbox: readonly (Counted & { readonly source: string })[];
  readonly flows: readonly {
    readonly type: string;
    readonly state: string;
    readonly count: number;
    readonly stalled: number;
  }[];
  readonly stalled: readonly Stalled[];
  readonly breaks: readonly {
    readonly rail: string;
    readonly cause: string;
    readonly open: number;
    readonly oldest_s: number;
  }[];
  readonly unmatched: readonly {
    readonly rail: string;
    readonly reason: string;
    readonly open: number;
  }[];
}

export interface DeadLetter {
  readonly id: string;
  readonly name: string;
  readonly error: string | null;
  readonly attempts: number;
  readonly died_at: string;
}

export interface Stalled {
  readonly what: 'effect' | 'flow' | 'inbox';
  readonly id: string;
  readonly kind: string;
  readonly since: string;
  readonly error: string | null;
}

export interface Timeline {
  readonly people: readonly Person[];
  readonly clients: readonly Organisation[];
  readonly names: readonly string[];
  readonly moments: readonly Moment[];
}

export interface Wallet {
  readonly wallet_id: number;
  readonly currency: string;
  readonly balance: string;
  readonly held: string;
  readonly available: string;
  readonly is_frozen: boolean;
}

export interface Moment {
  readonly at: string;
  readonly what: string;
  readonly type: string;
  readonly about: string;
  readonly details: unknown;
}

export interface Client {
  readonly client_id: number;
  readonly client_code: string;
  readonly email: string;
  readonly client_alias: string;
  readonly client_type: string;
  readonly client_status: string;
  readonly ekyc_status: string;
  readonly country_code: string;
  readonly created: string;
}
