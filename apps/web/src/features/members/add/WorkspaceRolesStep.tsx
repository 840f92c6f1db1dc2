import { Checkbox } from '../../../ui/forms/Choices.tsx'
import { ROLES } from '../role-labels.ts'
import { WorkspaceRolesTable, type WorkspaceRolesProps } from '../WorkspaceRolesTable.tsx'
import styles from './add.module.css'

export function WorkspaceRolesStep(props: WorkspaceRolesProps) {
  if (props.workspaces.length === 0) {
    return <p className={styles.none}>This account has no workspaces yet, so there is nothing to give access to.</p>
  }
  return (
    <div className={styles.step}>
      <WorkspaceRolesTable {...props} />
      <dl className={styles.hints}>
        {(['workspace_viewer', 'workspace_editor', 'workspace_admin'] as const).map((name) => (
          <div key={name}>
            <dt>{ROLES[name].label}</dt>
            <dd>{ROLES[name].hint}</dd>
          </div>
        ))}
        <div>
          <dt>No access</dt>
          <dd>Not added to the workspace.</dd>
        </div>
      </dl>
      <fieldset className={styles.database} disabled>
        <legend>Database permissions</legend>
        <Checkbox label="Read tables" />
        <Checkbox label="Write tables" />
        <Checkbox label="Manage schemas" />
        <p>They follow the workspace role for now and can not be set on their own yet.</p>
      </fieldset>
    </div>
  )
}
