import { EllipsisVertical, LogOut, Trash2 } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { listAccountTabs } from '../../app/account-tabs.ts'
import { IconButton } from '../../ui/actions/IconButton.tsx'
import { Face } from '../../ui/data/Avatar.tsx'
import { Page, PageHeader } from '../../ui/layout/Page.tsx'
import { Tabs } from '../../ui/layout/Tabs.tsx'
import { Menu } from '../../ui/overlays/Menu.tsx'
import { canIn, useCurrentAccount } from './accounts.queries.ts'
import styles from './accounts.module.css'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'
import { LeaveAccountDialog } from './LeaveAccountDialog.tsx'
import { getTab } from './settings-tab.ts'

export function Component() {
  const account = useCurrentAccount()
  const { tab: path } = useParams()
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const shownAccountTabs = listAccountTabs(account)
  const tab = getTab(
    { query: params.get('tab'), path },
    shownAccountTabs.map((accountTab) => accountTab.value),
  )

  useEffect(() => {
    if (path !== undefined) void navigate(`/${account.trellis_code}/settings?tab=${tab}`, { replace: true })
  }, [path, tab, account.trellis_code, navigate])

  return (
    <Page>
      <PageHeader
        title="Account settings"
        subtitle={
          <span className={styles.name}>
            <Face name={account.name} isSquare />
            {account.name}
          </span>
        }
        actions={
          <span className={styles.menu}>
            <Menu
              label="Account actions"
              align="end"
              groups={[
                [{ label: 'Leave account', icon: <LogOut aria-hidden />, onSelect: () => setLeaving(true) }],
                ...(canIn(account, 'account:delete')
                  ? [
                      [
                        {
                          label: 'Delete',
                          icon: <Trash2 aria-hidden />,
                          isDanger: true,
                          onSelect: () => setDeleting(true),
                        },
                      ],
                    ]
                  : []),
              ]}
              trigger={(props) => (
                <IconButton {...props} label="Account actions" icon={<EllipsisVertical aria-hidden />} />
              )}
            />
          </span>
        }
      />
      <Tabs
        label="Account settings"
        value={tab}
        onChange={(value) => setParams({ tab: value }, { replace: true })}
        tabs={shownAccountTabs.map(({ value, label, Content }) => ({
          value,
          label,
          content: (
            <Suspense fallback={<LoadingSettings />}>
              <Content accountCode={account.trellis_code} />
            </Suspense>
          ),
        }))}
      />
      {isLeaving && <LeaveAccountDialog account={account} onClose={() => setLeaving(false)} />}
      {isDeleting && <DeleteAccountDialog account={account} onClose={() => setDeleting(false)} />}
    </Page>
  )
}

function LoadingSettings() {
  return (
    <p role="status" className={styles.loading}>
      Loading account settings...
    </p>
  )
}
