/** What the screens about figures, wallets, payouts and invoices show. */

export interface FigureDay {
  readonly day: string;
  readonly currency: string;
  readonly direction: 'in' | 'out' | 'internal';
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly pending: number;
  readonly amount: string;
}

export interface PaymentFigures {
  readonly from: string;
  readonly to: string;
  readonly days: readonly FigureDay[];
  readonly failures: readonly { readonly code: string; readonly count: number }[];
}

export interface StatementLine {
  readonly seq: number;
  readonly reference: string;
  readonly type: string;
  readonly status: string;
  readonly amount: string;
  readonly held: string;
  readonly balance_after: string;
  readonly created_at: string;
  readonly description: string | null;
}

export interface Explanation {
  readonly wallet_id: number;
  readonly currency: string;
  readonly at: string;
  readonly posted: string;
  readonly held: string;
  readonly available: string;
  readonly since: string;
  readonly opening: string;
  readonly by_kind: readonly {
    readonly kind: string;
    readonly count: number;
    readonly amount: string;
  }[];
  readonly holds: readonly {
    readonly amount: string;
    readonly reference: string;
    readonly kind: string;
    readonly since: string;
    readonly until: string | null;
    readonly next_attempt_at: string | null;
    readonly freed_by: string;
  }[];
  readonly checks: readonly { readonly rule: string; readonly ok: boolean }[];
}

export interface Approval {
  readonly approval_id: string;
  readonly kind: string;
  readonly object: { readonly type: string; readonly id: string };
  readonly summary: string;
  readonly content_hash: string;
  readonly needed: number;
  readonly roles: readonly string[];
  readonly made_by: number;
  readonly approvals: readonly { readonly by: number; readonly at: string }[];
  readonly status: ApprovalStatus;
  readonly version: number;
  readonly created_at: string;
  readonly expires_at: string;
}
export const APPROVAL_STATUSES = [
  ...(['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED', 'CANCELLED'] as const),
] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

interface Standing {
  readonly status: string;
  readonly substatus: string | null;
  readonly created_at: string;
}

export interface Batch extends Standing {
  readonly batch_id: string;
  readonly name: string;
  readonly user_id: number;
  readonly currency: string;
  readonly count: number;
  readonly total: string;
  readonly fees: string;
  readonly completed_count: number;
  readonly failed_count: number;
  readonly returned_count: number;
  readonly executes_at: string | null;
  readonly content_hash: string;
  readonly submitted_by: number | null;
}

export interface BatchItem {
  readonly item_id: string;
  readonly line: number;
  readonly amount: string;
  readonly currency: string;
  readonly fee: string;
  readonly reference: string;
  readonly payment_id: string | null;
  readonly status: string;
  readonly failure: { readonly code: string; readonly message: string } | null;
}

export interface Invoice extends Standing {
  readonly invoice_id: string;
  readonly amount: string;
  readonly currency: string;
  readonly to_pay: string;
  readonly paid_amount: string;
  readonly refunded_amount: string;
  readonly description: string;
  readonly checkout_url: string;
  readonly expires_at: string;
  readonly reference: string | null;
}

export interface PaymentLink extends Standing {
  readonly link_id: string;
  readonly title: string;
  readonly currency: string;
  readonly amount: string | null;
  readonly min: string | null;
  readonly max: string | null;
  readonly usage: string;
  readonly open: number;
  readonly paid: number;
  readonly url: string;
}

export interface InvoiceRefund extends Standing {
  readonly refund_id: string;
  readonly amount: string;
  readonly currency: string;
  readonly reason: string;
  readonly way: string;
}
