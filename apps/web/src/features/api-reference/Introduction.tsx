import { CodeBlock } from '../../ui/data/CodeBlock.tsx'
import styles from './api-reference.module.css'

const ERROR = `{
  "errors": [
    {
      "status": "404",
      "code": "not_found",
      "title": "Not found",
      "detail": "There is nothing at this address.",
      "id": "the reference to give when asking for help"
    }
  ]
}`

export function Introduction({ count }: { count: number }) {
  const origin = location.origin
  return (
    <article className={styles.detail}>
      <header>
        <h2>API reference</h2>
        <p>
          {count > 0 && `${count} calls. `}Everything the screens do goes through them, so everything can be done by a
          program too. The description this page is made from is at <a href="/openapi.json">/openapi.json</a> (OpenAPI
          3.1).
        </p>
      </header>
      <section>
        <h3>Sign in</h3>
        <p>
          Calls under <code>/auth</code> sign people in; calls under <code>/api</code> do the work. Send the access
          token with each call. It lives for ten minutes.
        </p>
        <CodeBlock
          title="curl"
          code={`curl "${origin}/auth/login" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"email":"ada@example.com","password":"…"}'`}
        />
      </section>
      <section>
        <h3>Answers and errors</h3>
        <p>
          An answer is <code>{'{ "data": … }'}</code>, with <code>meta</code> beside it when a list has pages. A failure
          is a list of errors; the code is for programs, the detail for people.
        </p>
        <CodeBlock title="404" code={ERROR} />
      </section>
      <section>
        <h3>Repeating safely</h3>
        <p>
          Calls that make something take an <code>Idempotency-Key</code> header. Sending the same request with the same
          key again gives the first answer and makes nothing twice.
        </p>
      </section>
    </article>
  )
}
