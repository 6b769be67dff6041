import { Failure } from '../api.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { Ident } from './ident.tsx';

/** What has failed, why, what to do about it, and by which id it is found in the logs. */
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
                <Ident id={requestId} />
              </>
            )}
          </p>
        )}
        {onRetry && <Button onClick={onRetry}>Try again</Button>}
      </div>
    </div>
  );
}
