import { useState } from 'react'
import { CodeBlock } from '../../ui/data/CodeBlock.tsx'
import { Badge } from '../../ui/feedback/Status.tsx'
import styles from './api-reference.module.css'
import { formatCurl, buildExample } from './example.ts'
import type { JsonSchema, Operation, Parameter } from './openapi.ts'
import { listFields, formatLimits, formatType } from './schema-lines.ts'

export function MethodPill({ method }: { method: string }) {
  return (
    <span className={styles.method} data-method={method}>
      {method === 'DELETE' ? 'DEL' : method}
    </span>
  )
}

export function OperationDetail({ operation }: { operation: Operation }) {
  const { method, path, aliases, summary, permission, isPublic, parameters, body, response, errors } = operation
  return (
    <article className={styles.detail}>
      <header>
        <p className={styles.feature}>{operation.feature.replaceAll('-', ' ')}</p>
        <h2>{summary}</h2>
        <p className={styles.address}>
          <MethodPill method={method} />
          <code>{path}</code>
        </p>
        {aliases.length > 0 && (
          <p className={styles.also}>
            Also at <code>{aliases.join(', ')}</code>
          </p>
        )}
        <p className={styles.badges}>
          <Badge tone={isPublic ? 'neutral' : 'accent'}>{isPublic ? 'No sign-in needed' : `Needs ${permission}`}</Badge>
          <Badge>{operation.id}</Badge>
        </p>
      </header>
      <CodeBlock title="curl" code={formatCurl(operation, location.origin)} />
      {parameters.length > 0 && (
        <section>
          <h3>Parameters</h3>
          <div className={styles.tree}>
            {parameters.map((parameter) => (
              <ParameterLine key={`${parameter.in} ${parameter.name}`} parameter={parameter} />
            ))}
          </div>
        </section>
      )}
      {body && <SchemaSection title="Body" schema={body} />}
      {response && (
        <>
          <SchemaSection title="Answer" schema={response} />
          <CodeBlock title="Example answer" code={JSON.stringify({ data: buildExample(response) }, null, 2)} />
        </>
      )}
      <section>
        <h3>Errors</h3>
        <ul className={styles.errors}>
          {errors.flatMap(({ status, codes }) =>
            codes.map(({ code, title }) => (
              <li key={`${status} ${code}`}>
                <code>{status}</code>
                <code>{code}</code>
                <span>{title}</span>
              </li>
            )),
          )}
        </ul>
      </section>
    </article>
  )
}

function ParameterLine({
  parameter: { name, in: where, required = false, description, schema },
}: {
  parameter: Parameter
}) {
  return (
    <div className={styles.line}>
      <LineHead name={name} schema={schema} isRequired={required} where={where} />
      {description && <p className={styles.note}>{description}</p>}
    </div>
  )
}

function SchemaSection({ title, schema }: { title: string; schema: JsonSchema }) {
  const choice = (schema.anyOf ?? schema.oneOf)?.filter((jsonSchema) => jsonSchema.type === 'object')
  return (
    <section>
      <h3>
        {title}{' '}
        <span className={styles.type}>
          {choice && choice.length > 1 ? `one of ${choice.length} shapes` : formatType(schema)}
        </span>
      </h3>
      {choice && choice.length > 1 ? (
        <div className={styles.choices}>
          {choice.map((jsonSchema) => (
            <SchemaTree key={Object.keys(jsonSchema.properties ?? {}).join()} schema={jsonSchema} />
          ))}
        </div>
      ) : (
        <SchemaTree schema={schema} />
      )}
    </section>
  )
}

function SchemaTree({ schema }: { schema: JsonSchema }) {
  const fields = listFields(schema)
  if (fields.length === 0) return null
  return (
    <div className={styles.tree}>
      {fields.map((field) => (
        <FieldLine key={field.name} {...field} />
      ))}
    </div>
  )
}

function FieldLine({ name, schema, isRequired }: { name: string; schema: JsonSchema; isRequired: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const count = listFields(schema).length
  return (
    <div className={styles.line}>
      <LineHead name={name} schema={schema} isRequired={isRequired} />
      {schema.description && <p className={styles.note}>{schema.description}</p>}
      {count > 0 && (
        <>
          <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'} {count} {count === 1 ? 'field' : 'fields'}
          </button>
          {isOpen && <SchemaTree schema={schema} />}
        </>
      )}
    </div>
  )
}

function LineHead({
  name,
  schema,
  isRequired,
  where,
}: {
  name: string
  schema: JsonSchema
  isRequired: boolean
  where?: string
}) {
  return (
    <div className={styles.lineHead}>
      <code className={styles.field}>{name}</code>
      <span className={styles.type}>{formatType(schema)}</span>
      {where && <span className={styles.type}>in {where}</span>}
      {isRequired && <span className={styles.required}>required</span>}
      {formatLimits(schema).map((limit) => (
        <span key={limit} className={styles.limit}>
          {limit}
        </span>
      ))}
    </div>
  )
}
