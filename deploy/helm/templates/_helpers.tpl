{{- define "trellis.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-trellis" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end -}}
{{- end }}

{{- define "trellis.selector" -}}
app.kubernetes.io/name: trellis
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "trellis.labels" -}}
{{ include "trellis.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "trellis.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "trellis.secret" -}}
{{ .Values.secrets.existing | default (include "trellis.name" .) }}
{{- end }}

{{- define "trellis.settings" -}}
- { name: TRELLIS_PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
- { name: TRELLIS_S3_BUCKET, value: {{ .Values.s3.bucket | quote }} }
- { name: TRELLIS_S3_REGION, value: {{ .Values.s3.region | quote }} }
{{- with .Values.s3.endpoint }}
- { name: TRELLIS_S3_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- if .Values.ingress.enabled }}
- { name: TRELLIS_TRUST_PROXY, value: 'on' }
{{- end }}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- if .Values.caConfigMap }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/trellis-ca/ca.crt }
{{- end }}
{{- end }}

{{- define "trellis.podSecurity" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
{{- end }}

{{- define "trellis.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "trellis.mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: data, mountPath: /data }
{{- if .Values.caConfigMap }}
- { name: ca, mountPath: /etc/trellis-ca, readOnly: true }
{{- end }}
{{- end }}

{{/* Nothing in them has to outlive a pod: rows are in Postgres and files in the bucket. */}}
{{- define "trellis.volumes" -}}
- { name: tmp, emptyDir: {} }
- { name: data, emptyDir: {} }
{{- with .Values.caConfigMap }}
- { name: ca, configMap: { name: {{ . | quote }} } }
{{- end }}
{{- end }}

{{- define "trellis.secretData" -}}
{{- range $name, $value := . }}
{{ $name }}: {{ $value | toString | quote }}
{{- end }}
{{- end }}
