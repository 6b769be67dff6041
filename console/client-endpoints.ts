import type {
  ApiKey,
  EventOfApi,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
} from './developer-shapes.ts';
import type {
  Approval,
  ApprovalStatus,
  Batch,
  BatchItem,
  Explanation,
  Invoice,
  InvoiceRefund,
  PaymentFigures,
  PaymentLink,
  StatementLine,
} from './money-shapes.ts';

interface Items<T> {
  data: { items: readonly T[]; next_cursor: string | null };
}
interface Page {
  limit?: number;
  cursor?: string;
}
interface OneEndpoint {
  params: { endpoint_id: string };
}
interface Decided {
  params: { approval_id: string };
  body: { version: number; content_hash: string; note?: string };
  answer: object;
}
interface OneWallet {
  wallet_id: number;
}

/** Requests and answers of the screens that a client's people have, beside those of the operator. */
export interface ClientEndpoints {
  'GET /payment-figures': {
    query: { from?: string; to?: string; client_id?: number };
    answer: { data: PaymentFigures };
  };
  'GET /wallets/fiat/{wallet_id}/explain': {
    params: OneWallet;
    query: { at?: string };
    answer: { data: Explanation };
  };
  'GET /wallets/fiat/{wallet_id}/transactions': {
    params: OneWallet;
    query: { limit?: number; before?: number };
    answer: {
      data: {
        currency: string;
        transactions: readonly StatementLine[];
        pagination: { next_before: number | null };
      };
    };
  };
  'GET /approvals': { query: Page & { status?: ApprovalStatus }; answer: Items<Approval> };
  'POST /approvals/{approval_id}/approve': Decided;
  'POST /approvals/{approval_id}/reject': Decided;
  'GET /batches': { query: Page; answer: Items<Batch> };
  'GET /batches/{batch_id}': { params: { batch_id: string }; answer: { data: Batch } };
  'GET /batches/{batch_id}/items': {
    params: { batch_id: string };
    query: Page;
    answer: Items<BatchItem>;
  };
  'POST /batches/{batch_id}/cancel': {
    params: { batch_id: string };
    body: object;
    answer: object;
  };
  'GET /payment-gateway/invoices': { query: Page; answer: Items<Invoice> };
  'GET /payment-gateway/invoices/{invoice_id}': {
    params: { invoice_id: string };
    answer: { data: Invoice };
  };
  'POST /payment-gateway/invoices/{invoice_id}/cancel': {
    params: { invoice_id: string };
    body: object;
    answer: object;
  };
  'GET /payment-gateway/invoices/{invoice_id}/refunds': {
    params: { invoice_id: string };
    query: Page;
    answer: Items<InvoiceRefund>;
  };
  'POST /payment-gateway/invoices/{invoice_id}/refunds': {
    params: { invoice_id: string };
    body: { amount?: string; reason: string };
    answer: object;
  };
  'GET /payment-gateway/links': { query: Page; answer: Items<PaymentLink> };
  'PATCH /payment-gateway/links/{link_id}': {
    params: { link_id: string };
    body: { status: 'ACTIVE' | 'PAUSED' };
    answer: object;
  };
  'GET /webhook-endpoints': {
    query: { client_id?: number };
    answer: { data: { endpoints: readonly WebhookEndpoint[] } };
  };
  'GET /webhook-endpoints/{endpoint_id}': OneEndpoint & { answer: { data: WebhookEndpoint } };
  'POST /webhook-endpoints': {
    body: { url: string; types: string[]; description?: string };
    answer: { data: { endpoint_id: string; url: string; secret: string } };
  };
  'DELETE /webhook-endpoints/{endpoint_id}': OneEndpoint & { answer: object };
  'POST /webhook-endpoints/{endpoint_id}/test': OneEndpoint & {
    body: object;
    answer: { data: WebhookAttempt };
  };
  'POST /webhook-endpoints/{endpoint_id}/pause': OneEndpoint & { body: object; answer: object };
  'POST /webhook-endpoints/{endpoint_id}/resume': OneEndpoint & { body: object; answer: object };
  'POST /webhook-endpoints/{endpoint_id}/rotate-secret': OneEndpoint & {
    body: object;
    answer: { data: { secret: string } };
  };
  'GET /webhook-endpoints/{endpoint_id}/deliveries': OneEndpoint & {
    query: { limit?: number; before?: number };
    answer: { data: { deliveries: readonly WebhookDelivery[]; next_before: number | null } };
  };
  'GET /webhook-endpoints/{endpoint_id}/attempts': OneEndpoint & {
    query: { limit?: number; before?: number; event_id?: string };
    answer: { data: { attempts: readonly WebhookAttempt[]; next_before: number | null } };
  };
  'GET /webhook-endpoints/{endpoint_id}/attempts/{attempt_id}': {
    params: { endpoint_id: string; attempt_id: number };
    answer: { data: WebhookAttempt & { request_body: string | null } };
  };
  'GET /events': {
    query: { limit?: number; before?: number; type?: string; object?: string };
    answer: { data: { events: readonly EventOfApi[]; next_before: number | null } };
  };
  'POST /events/{event_id}/resend': {
    params: { event_id: string };
    body: { endpoint_id?: string };
    answer: { data: { endpoints: readonly string[] } };
  };
  'GET /keys/sdk-key': {
    query: { limit?: number; before?: number };
    answer: { data: readonly ApiKey[] };
  };
  'POST /keys/sdk-key': {
    body: { provider_name?: string; scopes?: string[]; expires_in?: number };
    answer: { api_key: string; provider_name: string };
  };
}
