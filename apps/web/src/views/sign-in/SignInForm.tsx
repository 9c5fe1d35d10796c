import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type JSX, useEffect, useId, useState } from 'react';
import { type Session, signIn } from '../../data/session.ts';
import controls from '../../parts/controls.module.css';
import { useTimeText } from '../../parts/use-time-text.ts';
import styles from './SignInForm.module.css';

/** The form for the access token. */
export function SignInForm({
  onSignedIn,
}: {
  readonly onSignedIn: (session: Session) => void;
}): JSX.Element {
  const id = useId();
  const [token, setToken] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [waitEnd, setWaitEnd] = useState(0);
  const entry = useMutation({
    mutationFn: signIn,
    onError: () => setRefusal('The service is not responding. Try again in a moment.'),
    onSuccess: (answer) => {
      if (answer.ok) return onSignedIn(answer.session);
      setWaitEnd(Date.now() + answer.waitSeconds * 1000);
      setRefusal(answer.waitSeconds > 0 ? null : answer.message);
    },
  });
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setRefusal(null);
    entry.mutate(token);
  };
  return (
    <form className={styles['form']} onSubmit={send}>
      <label htmlFor={`${id}token`}>Access token</label>
      <input
        id={`${id}token`}
        className={controls['field']}
        type="password"
        autoComplete="current-password"
        value={token}
        onChange={(event) => setToken(event.target.value)}
        aria-invalid={refusal !== null}
        aria-describedby={`${id}why`}
        required
      />
      <div id={`${id}why`} role="alert" className={styles['refusal']}>
        {refusal}
      </div>
      <Submit waitEnd={waitEnd} isPending={entry.isPending} />
    </form>
  );
}

interface SubmitProps {
  /** The end of the delay after wrong tokens, in milliseconds of Unix time. */
  readonly waitEnd: number;
  readonly isPending: boolean;
}

function Submit({ waitEnd, isPending }: SubmitProps): JSX.Element {
  const seconds = Number(
    useTimeText((now) => String(Math.max(0, Math.ceil((waitEnd - now) / 1000)))),
  );
  const [isWaiting, setWaiting] = useState(false);
  useEffect(() => setWaiting(seconds > 0), [seconds]);
  return (
    <>
      {/* Screen readers announce this once; the countdown is visual only. */}
      <div role="alert" className={styles['refusal']}>
        {isWaiting ? 'Too many failed attempts from your address.' : null}
      </div>
      {isWaiting ? <p className={styles['wait']}>Try again in {seconds} s.</p> : null}
      <button type="submit" className={controls['primary']} disabled={isPending || isWaiting}>
        Sign in
      </button>
    </>
  );
}
