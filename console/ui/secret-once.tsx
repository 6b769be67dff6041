import { say } from '../words/say.ts';
import { Button } from './button.tsx';
import { Ident } from './ident.tsx';

interface SecretProps {
  readonly secret: string;
  readonly children: string;
  readonly onClose: () => void;
}

/** A secret that no other answer has: it is in no cache, and gone with its dialog. */
export const SecretOnce = ({ secret, children, onClose }: SecretProps) => (
  <>
    <p>{say(children)}</p>
    <p className="secret">
      <Ident id={secret} />
    </p>
    <p className="strong">{say('Copy it now: it is not shown again.')}</p>
    <div className="buttons">
      <Button look="main" onClick={onClose}>
        I have it
      </Button>
    </div>
  </>
);
