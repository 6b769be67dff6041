/** What the screens for developers show. */

export interface WebhookEndpoint {
  readonly endpoint_id: string;
  readonly client_id: number;
  readonly url: string;
  readonly description: string;
  readonly types: readonly string[];
  readonly status: 'active' | 'failing' | 'paused' | 'disabled';
  readonly disabled_why: string | null;
  readonly failures: number;
  readonly failing_since: string | null;
  readonly next_probe_at: string | null;
  readonly last_success_at: string | null;
  readonly created_at: string;
}

interface OfEvent {
  readonly event_id: string;
  readonly event_type: string;
  readonly object: { readonly type: string; readonly id: string };
}

export interface WebhookDelivery extends OfEvent {
  readonly status: 'delivered' | 'waiting' | 'exhausted';
  readonly attempts: number;
  readonly last_attempt_at: string | null;
  readonly next_attempt_at: string | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
}

export interface WebhookAttempt extends OfEvent {
  readonly attempt_id: number;
  readonly attempt: number;
  readonly at: string;
  readonly cause: string;
  readonly result: 'delivered' | 'failed' | 'exhausted';
  readonly status: number | null;
  readonly ms: number;
  readonly error: string | null;
  readonly response: string | null;
}

export interface EventOfApi {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly sequence: number;
  readonly object: { readonly type: string; readonly id: string };
  readonly data: unknown;
}

export interface ApiKey {
  readonly api_key: string;
  readonly provider_name: string;
  readonly created_at: string;
  readonly last_used: string | null;
  readonly usage_count: number;
  readonly api_version: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
  readonly last_ip: string | null;
}
