import { Failure } from '../api.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { Ident } from './ident.tsx';

/** An error, its cause, a remedy, and its id in the logs. */
export function Problem({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const { hint, code, requestId } = error instanceof Failure ? error : ({} as Partial<Failure>);
  return (
    <div className="problem" role="alert">
      <Icon name="alert" />
      <div>
        <p className="strong">{error.message}</p>
        {hint && <p>{hint}</p>}
        {code && (
          <p className="soft">
            {code}
            {requestId && (
              <>
                {' · '}
                <Ident id={requestId} search />
              </>
            )}
          </p>
        )}
        {onRetry && <Button onClick={onRetry}>Try again</Button>}
      </div>
    </div>
  );
}
