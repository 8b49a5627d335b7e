//! Malicious ZIP archives (bombs): the real service must reject them in less processor time than
//! one honest photo takes, and keep serving other clients.
//!
//! The archives are written byte by byte here, because no packing tool would write them. The kernel
//! counts processor time per process, so other load on the machine makes no difference.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use crate::client;
use crate::client::{Answer, header};
use crate::service::{Service, folder};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::Value;

/// Maximum size of a photo, in bytes.
const LIMIT: usize = 20_000_000;

/// An archive whose headers can claim anything.
#[derive(Default)]
struct Forged {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    members: usize,
}

/// A member as its header claims it.
#[derive(Clone, Copy)]
struct Claim<'a> {
    name: &'a str,
    packed: u32,
    unpacked: u32,
    checksum: u32,
    deflated: bool,
}

impl Claim<'_> {
    /// Returns the fields that a local header and an entry of the directory have in common.
    fn fields(&self) -> Vec<u8> {
        let method = if self.deflated { 8_u16 } else { 0 };
        let mut fields = [20_u16, 0, method, 0, 0x5821].map(u16::to_le_bytes).concat();
        fields.extend([self.checksum, self.packed, self.unpacked].map(u32::to_le_bytes).concat());
        fields.extend((self.name.len() as u16).to_le_bytes());
        fields.extend([0, 0]);
        fields
    }

    fn local(&self) -> Vec<u8> {
        [b"PK\x03\x04", &self.fields()[..], self.name.as_bytes()].concat()
    }
}

impl Forged {
    /// Adds a member with these bytes after its header.
    fn add(&mut self, claim: Claim<'_>, content: &[u8]) {
        let at = self.bytes.len();
        self.bytes.extend(claim.local());
        self.bytes.extend(content);
        self.list(claim, at);
    }

    /// Adds an entry of the directory for a header at an offset.
    fn list(&mut self, claim: Claim<'_>, at: usize) {
        self.directory.extend(b"PK\x01\x02\x14\0");
        self.directory.extend(claim.fields());
        self.directory.extend([0; 10]);
        self.directory.extend((at as u32).to_le_bytes());
        self.directory.extend(claim.name.as_bytes());
        self.members += 1;
    }

    /// Returns the archive, whose directory claims this number of entries.
    fn claiming(mut self, members: u16) -> Vec<u8> {
        let (at, length) = (self.bytes.len() as u32, self.directory.len() as u32);
        self.bytes.append(&mut self.directory);
        self.bytes.extend(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend([members, members].map(u16::to_le_bytes).concat());
        self.bytes.extend([length, at].map(u32::to_le_bytes).concat());
        self.bytes.extend([0, 0]);
        self.bytes
    }

    fn finish(self) -> Vec<u8> {
        let members = u16::try_from(self.members).expect("few");
        self.claiming(members)
    }
}

fn stored<'a>(name: &'a str, content: &[u8]) -> Claim<'a> {
    let mut checksum = flate2::Crc::new();
    checksum.update(content);
    let size = content.len() as u32;
    Claim { name, packed: size, unpacked: size, checksum: checksum.sum(), deflated: false }
}

/// Returns this number of zeros, compressed a thousand to one.
fn zeros(count: usize) -> Vec<u8> {
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
    packer.write_all(&vec![0; count]).expect("memory");
    packer.finish().expect("memory")
}

/// Returns an archive with members of zeros whose checksum is wrong, which shows only after
/// unpacking all of them.
fn heap(members: usize, size: usize) -> Vec<u8> {
    let packed = zeros(size);
    let mut archive = Forged::default();
    for at in 0..members {
        let (name, length) = (format!("{at}.jpg"), packed.len() as u32);
        let claim = Claim {
            name: &name,
            packed: length,
            unpacked: size as u32,
            checksum: 7,
            deflated: true,
        };
        archive.add(claim, &packed);
    }
    archive.finish()
}

/// Returns an archive with overlapping members, as described by David Fifield in "A better zip
/// bomb" (2019): the content of each member is the header of the next one, stored, and then
/// everything after it. Each member unpacks to `size` bytes.
fn nested(members: usize, size: usize) -> Vec<u8> {
    let mut tail = zeros(size);
    let mut claims = Vec::new();
    let names: Vec<String> = (0..members).map(|at| format!("{at:04}.jpg")).collect();
    let mut unpacked = size;
    for name in names.iter().rev() {
        let packed = tail.len() as u32;
        let claim = Claim { name, packed, unpacked: unpacked as u32, checksum: 7, deflated: true };
        let header = claim.local();
        // A stored block, not the last one: its length, and the inverted length.
        let length = header.len() as u16;
        let quoted = [&[0], &length.to_le_bytes()[..], &(!length).to_le_bytes()].concat();
        claims.push((claim, header.len()));
        unpacked += header.len();
        tail = [quoted, header, tail].concat();
    }
    let mut archive = Forged::default();
    let mut at = 0;
    for (claim, header) in claims.into_iter().rev() {
        archive.list(claim, at);
        at += header + 5;
    }
    // Nothing is quoted before the first header.
    archive.bytes = tail.split_off(5);
    archive.finish()
}

/// A service with jobs, and the processor time of one honest photo.
struct House {
    service: Service,
    photo: Duration,
}

impl House {
    fn new(folder: &Path) -> House {
        let data = folder.to_str().expect("a plain path");
        let service =
            Service::start_with(&["--data", data, "--workers", "2", "--job-workers", "0"]);
        // The first photo loads the models; the second one gives the cost.
        read_photo(&service);
        let before = service.processor();
        read_photo(&service);
        let photo = service.processor() - before;
        assert!(photo > Duration::ZERO);
        House { service, photo }
    }

    /// Sends an archive, which may cost at most the processor time of this number of photos.
    fn send(&self, archive: &[u8], photos: u32) -> Answer {
        let before = self.service.processor();
        let answer = self.service.client().post("/v1/jobs", "application/zip", archive);
        let spent = self.service.processor() - before;
        assert!(
            spent <= self.photo * photos,
            "{spent:?} for {} bytes; a photo takes {:?}: {answer:?}",
            archive.len(),
            self.photo
        );
        answer
    }

    fn results(&self, created: &Answer) -> Vec<Value> {
        assert_eq!(created.status, 202, "{created:?}");
        let job = header(&created.head, "location").expect("an address");
        let rows = self.service.client().get(&format!("{job}/results"));
        let text = String::from_utf8(rows.body).expect("text");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

fn sample() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/samples/900001.jpg");
    fs::read(path).expect("our sample")
}

fn read_photo(service: &Service) {
    let answer = service.client().post("/v1/hands", "image/jpeg", &sample());
    assert_eq!(answer.status, 200, "{answer:?}");
}

fn is_refused(answer: &Answer, status: u16, phrase: &str) {
    assert_eq!(answer.status, status, "{answer:?}");
    let detail = answer.json()["detail"].to_string();
    assert!(detail.contains(phrase), "{detail}");
}

#[test]
fn oversized_members_cost_nothing_and_forged_ones_count_as_unpacked() {
    let folder = folder("hostile-archives");
    let house = House::new(&folder);

    // Each member claims to be larger than a photo may be, and is rejected before it is unpacked.
    let archive = heap(10, LIMIT + 1_000_000);
    assert!(archive.len() < 300_000, "{}", archive.len());
    let rows = house.results(&house.send(&archive, 1));
    assert_eq!(rows.len(), 10);
    for row in &rows {
        assert_eq!(row["error"]["type"], "urn:tilesight:problem:too-large", "{row}");
    }

    // Each member is small enough for a photo, but together they exceed the limit of a job.
    // Receiving the archive takes half a photo, unpacking everything would take twenty.
    let archive = heap(120, LIMIT - 1_000_000);
    assert!(archive.len() < 3_000_000, "{}", archive.len());
    is_refused(&house.send(&archive, 5), 413, "may have at most 2000000000 bytes together");

    // Each member claims to be small. An honest photo among them is accepted into the job.
    let (lie, photo) = (zeros(LIMIT - 1_000_000), sample());
    let mut archive = Forged::default();
    let names: Vec<String> = (0..100).map(|at| format!("{at}.jpg")).collect();
    for name in &names {
        let packed = lie.len() as u32;
        archive.add(Claim { name, packed, unpacked: 1_000, checksum: 7, deflated: true }, &lie);
    }
    archive.add(stored("honest.jpg", &photo), &photo);
    // The job itself is stored, with a hundred rows. Unpacking everything would take 15 photos.
    let created = house.send(&archive.finish(), 5);
    let rows = house.results(&created);
    assert_eq!(created.json()["photos"]["failed"], 100, "{created:?}");
    assert_eq!(created.json()["photos"]["pending"], 1, "{created:?}");
    for row in &rows {
        let detail = row["error"]["detail"].to_string();
        assert!(detail.contains("larger than its declared"), "{row}");
    }

    read_photo(&house.service);
}

/// Each member has one row, whatever its name and its packing.
#[test]
fn members_of_deceptive_names_have_rows_of_their_own() {
    let folder = folder("archives-of-names");
    let house = House::new(&folder);
    let photos: Vec<Vec<u8>> = (0..9).map(|end| [sample(), vec![end]].concat()).collect();
    let names = [
        "w.jpg",
        "w.jpg",
        r"..\..\w.jpg",
        "/etc/w.jpg",
        r"C:\w.jpg",
        "w.jpg/",
        "a\0b.jpg",
        "more.zip",
    ];
    let mut archive = Forged::default();
    for (name, photo) in names.iter().zip(&photos) {
        archive.add(stored(name, photo), photo);
    }
    // Packed with a method from 1990, and encrypted.
    for (name, flags, method) in [("shrunk.jpg", 0, 1), ("secret.jpg", 1, 0)] {
        let at = (archive.bytes.len(), archive.directory.len());
        archive.add(stored(name, &photos[8]), &photos[8]);
        archive.bytes[at.0 + 6..][..4].copy_from_slice(&[flags, 0, method, 0]);
        archive.directory[at.1 + 8..][..4].copy_from_slice(&[flags, 0, method, 0]);
    }
    let created = house.service.client().post("/v1/jobs", "application/zip", &archive.finish());
    assert_eq!(created.status, 202, "{created:?}");
    assert_eq!(created.json()["photos"]["total"], 10, "{created:?}");
    let job = header(&created.head, "location").expect("an address");
    let cancelled = house.service.client().post(&format!("{job}/cancel"), "application/json", b"");
    assert_eq!(cancelled.status, 200, "{cancelled:?}");
    let errors = house.service.client().get(&format!("{job}/errors"));
    let errors = String::from_utf8(errors.body).expect("text");
    for (id, detail) in [
        ("more.zip", "inside an archive"),
        ("shrunk.jpg", "method 1, which is not supported"),
        ("secret.jpg", "it is encrypted"),
    ] {
        let row = errors.lines().find(|row| row.contains(&format!("\"id\":\"{id}\"")));
        assert!(row.is_some_and(|row| row.contains(detail)), "{id}: {errors}");
    }
    let table = house.service.client().get(&format!("{job}/results?format=csv&csv=excel"));
    assert!(table.body.starts_with("\u{feff}id;index;".as_bytes()), "{table:?}");

    let two = b"{\"file\":\"w.jpg\"}\n";
    let mut archive = Forged::default();
    for (name, content) in [("w.jpg", &photos[0]), ("manifest.jsonl", &two.to_vec())] {
        archive.add(stored(name, content), content);
    }
    archive.add(stored("manifest.jsonl", two), two);
    is_refused(&house.send(&archive.finish(), 2), 400, "more than one manifest.jsonl");
    let mut archive = Forged::default();
    for (name, content) in
        [("w.jpg", &photos[0]), ("w.jpg", &photos[1]), ("manifest.jsonl", &two.to_vec())]
    {
        archive.add(stored(name, content), content);
    }
    is_refused(&house.send(&archive.finish(), 2), 400, "w.jpg#2");
}

#[test]
fn overlapping_members_reject_the_archive() {
    let folder = folder("overlapping-archives");
    let house = House::new(&folder);
    let archive = nested(100, LIMIT - 1_000_000);
    assert!(archive.len() < 60_000, "{}", archive.len());
    is_refused(&house.send(&archive, 1), 400, "overlap");

    // The simpler kind: every entry of the directory names the same header.
    let packed = zeros(1_000_000);
    let claim = |name| Claim {
        name,
        packed: packed.len() as u32,
        unpacked: 1_000_000,
        checksum: 7,
        deflated: true,
    };
    let mut archive = Forged::default();
    archive.add(claim("0.jpg"), &packed);
    for name in ["1.jpg", "2.jpg", "3.jpg"] {
        archive.list(claim(name), 0);
    }
    is_refused(&house.send(&archive.finish(), 1), 400, "overlap");
}

#[test]
fn claimed_directory_sizes_are_bounded() {
    let folder = folder("endless-archives");
    let house = House::new(&folder);
    // The peak memory of the service so far.
    let before = house.service.kilobytes("VmHWM");

    let mut archive = Forged::default();
    for at in 0..100_000 {
        archive.add(stored(&format!("{at}.jpg"), b"x"), b"x");
    }
    // Receiving so large a directory takes two photos, storing its rows would take a hundred.
    is_refused(&house.send(&archive.claiming(u16::MAX), 10), 413, "10000 photos");

    // The ZIP64 record claims four billion entries, but there is only one.
    let mut archive = Forged::default();
    archive.add(stored("0.jpg", b"x"), b"x");
    let (at, length) = (archive.bytes.len() as u64, archive.directory.len() as u64);
    let whole = archive.claiming(u16::MAX);
    let end = (at + length) as usize;
    let mut large = b"PK\x06\x06".to_vec();
    large.extend(44_u64.to_le_bytes());
    large.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    large.extend([4_000_000_000, 4_000_000_000, length, at].map(u64::to_le_bytes).concat());
    large.extend(b"PK\x06\x07\0\0\0\0");
    large.extend((end as u64).to_le_bytes());
    large.extend(1_u32.to_le_bytes());
    let forged = [&whole[..end], &large, &whole[end..]].concat();
    is_refused(&house.send(&forged, 1), 400, "ZIP archive is broken");

    // The kernel's value is approximate: without growth it may be a page less than before.
    let grown = house.service.kilobytes("VmHWM").saturating_sub(before);
    assert!(grown < 100_000, "{grown} kB more");
    read_photo(&house.service);
}

/// A client keeps sending the most expensive archives that are accepted; the photos of another
/// client are still read.
#[test]
fn repeated_archives_do_not_block_other_clients() {
    let folder = folder("repeated-archives");
    let house = House::new(&folder);
    let archive = heap(5, LIMIT - 1_000_000);
    let address = house.service.address;
    let senders: Vec<_> = (0..3)
        .map(|_| {
            let archive = archive.clone();
            std::thread::spawn(move || {
                for _ in 0..2 {
                    let mut client = client::Client::connect(address);
                    let created = client.post("/v1/jobs", "application/zip", &archive);
                    assert_eq!(created.status, 202, "{created:?}");
                    assert_eq!(created.json()["photos"]["failed"], 5, "{created:?}");
                }
            })
        })
        .collect();
    let mut read = 0;
    while senders.iter().any(|sender| !sender.is_finished()) {
        read_photo(&house.service);
        read += 1;
    }
    for sender in senders {
        sender.join().expect("every archive became a job");
    }
    assert!(read > 0);
}
