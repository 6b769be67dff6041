import { useState } from 'react';
import { useAsk } from '../data.ts';
import type { WebhookAttempt } from '../developer-shapes.ts';
import { Button } from '../ui/button.tsx';
import { Json } from '../ui/json.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Tag } from '../ui/tag.tsx';
import { When } from '../ui/when.tsx';
import { say } from '../words/say.ts';

interface OfEvent {
  readonly endpoint_id: string;
  readonly event_id: string;
}

/** Each try to deliver one event, with the request and the answer of the chosen one. */
export function Attempts({ endpoint_id, event_id }: OfEvent) {
  const found = useAsk('GET /webhook-endpoints/{endpoint_id}/attempts', {
    params: { endpoint_id },
    query: { event_id, limit: 50 },
  });
  return (
    <Loaded of={found}>
      {({ data }) => (
        <ol className="tries">
          {data.attempts.map((one) => (
            <Attempt key={one.attempt_id} one={one} endpoint_id={endpoint_id} />
          ))}
        </ol>
      )}
    </Loaded>
  );
}

function Attempt({ one, endpoint_id }: { one: WebhookAttempt; endpoint_id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <p>
        <Tag word={one.result} /> {one.status ?? one.error} {say('in {ms} ms', { ms: one.ms })},{' '}
        {one.cause} <When at={one.at} />{' '}
        <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Request and answer
        </Button>
      </p>
      {isOpen && <Exchange attempt_id={one.attempt_id} endpoint_id={endpoint_id} />}
    </li>
  );
}

function Exchange({ endpoint_id, attempt_id }: { endpoint_id: string; attempt_id: number }) {
  const found = useAsk('GET /webhook-endpoints/{endpoint_id}/attempts/{attempt_id}', {
    params: { endpoint_id, attempt_id },
  });
  return (
    <Loaded of={found}>
      {({ data: { request_body, response } }) => (
        <>
          <p className="soft">{say('Request')}</p>
          <Json value={parsed(request_body)} />
          <p className="soft">{say('Answer')}</p>
          <Json value={response ?? say('none')} />
        </>
      )}
    </Loaded>
  );
}

function parsed(body: string | null): unknown {
  try {
    return body === null ? say('It is no longer kept.') : JSON.parse(body);
  } catch {
    return body;
  }
}
