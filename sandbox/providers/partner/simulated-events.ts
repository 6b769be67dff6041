import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { World } from '#sandbox/simulator.ts';

const PROVIDER = 'partner';

interface WebhookKey {
  readonly id: string;
  readonly public_key: string;
  readonly private_key: string;
}

/** The key pair of the webhook that leads to the service: made once and kept. */
export async function webhookKey(world: World): Promise<WebhookKey> {
  const known = await world.records.get<WebhookKey>(PROVIDER, 'webhook', 'service');
  if (known) return known;
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const made = { id: `wep_${randomUUID()}`, public_key: publicKey, private_key: privateKey };
  await world.records.insert(PROVIDER, 'webhook', 'service', made);
  return webhookKey(world);
}

interface Shown {
  readonly id: string;
  readonly status: string;
}

/** Reports that a customer has changed. */
export function customerEvents(world: World, before: Shown, after: Shown): void {
  if (before.status === after.status) return;
  const event = {
    api_version: 'v0',
    event_id: `wh_${randomUUID()}`,
    event_sequence: world.clock.seconds(),
    event_category: 'customer',
    event_type: 'customer.updated.status_transitioned',
    event_object_id: after.id,
    event_object_status: after.status,
    event_object: after,
    event_object_changes: { status: [before.status, after.status] },
    event_created_at: world.clock.now().toISOString(),
  };
  void world.callbacks.deliver(PROVIDER, async () => {
    const body = JSON.stringify(event);
    const time = String(world.clock.now().getTime());
    const digest = createHash('sha256').update(`${time}.${body}`).digest();
    const { private_key } = await webhookKey(world);
    const signature = sign('RSA-SHA256', digest, private_key).toString('base64');
    return {
      url: `${world.serviceUrl()}/pspb/webhook`,
      headers: {
        'content-type': 'application/json',
        'x-webhook-signature': `t=${time},v0=${signature}`,
      },
      body,
    };
  });
}
