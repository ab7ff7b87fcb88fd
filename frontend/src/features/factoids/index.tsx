import "../../components/admin.css";

export function Component() {
  return (
    <main className="page" id="main">
      <div className="page-head">
        <h1>Factoids</h1>
        <p className="mute">
          Several people break the same texts into pieces of information, and one list comes of it.
        </p>
      </div>
    </main>
  );
}
