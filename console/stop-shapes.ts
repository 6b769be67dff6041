/** Whether a user or client is suspended, and why, as far as it is known. */
export interface Stop {
  readonly is_stopped: boolean;
  readonly reason: string | null;
  readonly stopped_by: number | null;
  readonly stopped_at: string | null;
}

export interface Organisation extends Stop {
  readonly client_id: number;
  readonly client_code: string;
  readonly client_alias: string;
  readonly email: string;
  readonly client_status: string;
}

export interface Person extends Stop {
  readonly user_id: number;
  readonly client_id: number;
  readonly username: string;
  readonly email: string | null;
  readonly role: string;
  readonly user_status: string;
}

/** A change of an account, with its id and owner. */
export interface OneChange {
  readonly user_id: number;
  readonly change_id: number;
}

/** An operator's order that is not due yet. */
export interface ChangeOrder extends OneChange {
  readonly client_id: number;
  readonly kind: string;
  readonly subject: string;
  readonly ordered_by: number | null;
  readonly created_at: string;
  readonly takes_effect_at: string;
}

/** Orders and proposals that a suspension has voided. */
export interface LeftByClient {
  readonly orders_voided: readonly (OneChange & { readonly kind: string })[];
}

/** And endpoints and keys of the suspended user that still exist. */
export interface LeftByUser extends LeftByClient {
  readonly proposals_voided: readonly string[];
  readonly webhook_endpoints: readonly {
    readonly endpoint_id: string;
    readonly url: string;
    readonly status: string;
  }[];
  readonly keys: readonly {
    readonly key_id: number;
    readonly api_key: string;
    readonly provider_name: string;
  }[];
  readonly keys_ended: number;
}
