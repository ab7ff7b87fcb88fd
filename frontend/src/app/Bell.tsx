import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { markRead, type Notice, noticesQuery } from "../api/notices";
import { useRefresh } from "../api/useRefresh";
import { Dialog } from "../components/Dialog";
import { Refusal } from "../components/Refusal";
import { counted, momentHere } from "../text/format";
import { told } from "./noticeWords";
import "./bell.css";

/** What waits for the person in all their projects, with the number of what they have not read. */
export function Bell() {
  const { data: notices = [] } = useQuery(noticesQuery);
  const [isOpen, setOpen] = useState(false);
  const n = notices.filter(({ unread }) => unread).length;
  return (
    <>
      <button
        type="button"
        className="button quiet bell"
        aria-label={n === 0 ? "Notices" : `Notices, ${counted(n, "unread one")}`}
        onClick={() => setOpen(true)}
      >
        <BellSign />
        {n > 0 && <span className="bell-count">{n}</span>}
      </button>
      {isOpen && (
        <Dialog title="Notices" onClose={() => setOpen(false)}>
          <NoticeList notices={notices} onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

function NoticeList({ notices, onClose }: { notices: readonly Notice[]; onClose: () => void }) {
  const [error, setError] = useState<unknown>(null);
  const refresh = useRefresh();
  const unread = notices.filter((notice) => notice.unread);
  const read = (which: readonly Notice[]) =>
    markRead(which)
      .then(() => refresh(noticesQuery.queryKey))
      .catch(setError);
  return (
    <>
      {unread.length > 0 && (
        <div className="row">
          <button type="button" className="button" onClick={() => void read(unread)}>
            Mark all as read
          </button>
        </div>
      )}
      {notices.length === 0 && <p className="mute">Nothing waits for you.</p>}
      <ul className="bell-list">
        {notices.map((notice) => (
          <li key={`${notice.project} ${notice.key}`} className={notice.unread ? "unread" : undefined}>
            <NoticeLine
              notice={notice}
              onFollow={() => {
                if (notice.unread) void read([notice]);
                onClose();
              }}
            />
          </li>
        ))}
      </ul>
      <Refusal error={error} />
    </>
  );
}

function NoticeLine({ notice, onFollow }: { notice: Notice; onFollow: () => void }) {
  const { words, path } = told(notice);
  return (
    <>
      <Link to={`/projects/${notice.project}/${path}`} onClick={onFollow}>
        {words}
      </Link>
      <span className="small mute">
        {notice.unread && <b>New · </b>}
        {notice.project_name}
        {notice.at && ` · ${momentHere(Date.parse(notice.at))}`}
      </span>
    </>
  );
}

function BellSign() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path
        d="M10 2.5a5 5 0 0 0-5 5v3.2L3.4 14h13.2L15 10.7V7.5a5 5 0 0 0-5-5ZM8 15.8a2 2 0 0 0 4 0"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinejoin="round"
      />
    </svg>
  );
}
