import type { RoleTemplate } from '@trellis/contract/database-admin/database-admin.schemas'
import type * as z from 'zod/mini'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { Checkbox } from '../../../ui/forms/Choices.tsx'
import styles from '../database-admin.module.css'
import { hasGrant, findStrongerTemplate, matrixSchemas, withGrant, type RoleGrant } from './grants.ts'

interface MatrixProps {
  templates: readonly z.infer<typeof RoleTemplate>[]
  schemas: readonly string[]
  grants: readonly RoleGrant[]
  onChange: (grants: RoleGrant[]) => void
  isDisabled: boolean
}

export function GrantMatrix({ templates, schemas, grants, onChange, isDisabled }: MatrixProps) {
  const perSchema = templates.filter((template) => template.needs_schemas)
  const overall = templates.filter((template) => !template.needs_schemas)
  return (
    <div className={styles.stack}>
      {overall.length > 0 && (
        <fieldset className={styles.picker} disabled={isDisabled}>
          <legend>In the whole database</legend>
          {overall.map(({ template, label, description }) => {
            const grant = { template, schema_name: null }
            return (
              <Checkbox
                key={template}
                label={label}
                hint={description}
                checked={hasGrant(grants, grant)}
                onChange={(event) => onChange(withGrant(grants, grant, event.target.checked))}
              />
            )
          })}
        </fieldset>
      )}
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Rights by schema">
        <table className={styles.matrix}>
          <thead>
            <tr>
              <th scope="col">Schema</th>
              {perSchema.map((item) => (
                <th key={item.template} scope="col" title={`${item.description} (${item.rights.join(', ')})`}>
                  {item.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {matrixSchemas(schemas, grants).map(({ name, isGone }) => (
              <tr key={name}>
                <th scope="row">
                  {name} {isGone && <Badge tone="warning">Gone</Badge>}
                </th>
                {perSchema.map(({ template, label }) => {
                  const grant = { template, schema_name: name }
                  const holder = findStrongerTemplate(grants, grant)
                  return (
                    <td key={template}>
                      <Checkbox
                        label={<span className="visually-hidden">{`${label} on ${name}`}</span>}
                        checked={holder !== null || hasGrant(grants, grant)}
                        disabled={isDisabled || holder !== null}
                        onChange={(event) => onChange(withGrant(grants, grant, event.target.checked))}
                      />
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
