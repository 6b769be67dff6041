import { useStore } from '../store.ts';
import { told } from '../told.ts';
import { Icon } from './icon.tsx';

/** Says what was done, also to those who do not see it. */
export function Toast() {
  const text = useStore(told);
  return (
    <div className="toast" role="status">
      {text && (
        <p>
          <Icon name="done" />
          {text}
          <button
            type="button"
            className="copy"
            aria-label="Close"
            onClick={() => told.set(undefined)}
          >
            <Icon name="close" />
          </button>
        </p>
      )}
    </div>
  );
}
